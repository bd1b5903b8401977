#pragma once

#include <QToolBar>

class QAction;
class QHBoxLayout;
class QLabel;

namespace assay {

class Review;

/// Says above all panels how far a review by hand has come, and what its keys are: "Review: 12 of 310 looked at".
/// Hidden while none is on.
class ReviewBar : public QToolBar {
    Q_OBJECT

public:
    /// @param review outlives the bar
    /// @param window has the actions of the review, by their object names
    ReviewBar(Review* review, QWidget* window);

    /// Shown or hidden, as the review is on.
    void refresh();

private:
    void addButton(QHBoxLayout* layout, const char* action, const QString& text, const QString& keys);

    Review* review_;
    QLabel* text_;
};

} // namespace assay
