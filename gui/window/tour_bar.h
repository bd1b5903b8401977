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

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// As high as the text at the bar's width. A tool bar takes the height that the text would have at a width that the
    /// label guesses.
    void fitHeight();

    Tour* tour_;
    std::function<QString(std::size_t)> modelName_;
    QLabel* place_;
    QLabel* text_;
    QWidget* row_;
    QToolButton* back_;
    QToolButton* next_;
};

} // namespace assay
