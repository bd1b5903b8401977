#pragma once

#include <QToolBar>

#include <cstddef>
#include <functional>

class QLabel;
class QToolButton;

namespace assay {

class Tour;

/// The walk through the findings, above all panels: "2 of 7: copycat", the finding, and buttons to go on, back and out.
/// Hidden while none is on.
class TourBar : public QToolBar {
    Q_OBJECT

public:
    /// @param tour outlives the bar
    /// @param modelName name of a model by its index
    TourBar(Tour* tour, std::function<QString(std::size_t model)> modelName, QWidget* parent);

    /// Shown or hidden, as the tour is on.
    void refresh();

private:
    Tour* tour_;
    std::function<QString(std::size_t)> modelName_;
    QLabel* place_;
    QLabel* text_;
    QToolButton* back_;
    QToolButton* next_;
};

} // namespace assay
