#pragma once

#include <QToolBar>

class QAction;
class QHBoxLayout;
class QLabel;

namespace assay {

class Review;
class WindowActions;

/// Says above all panels how far a review by hand has come, and what its keys are: "Review: 12 of 310 looked at".
/// Hidden while none is on.
class ReviewBar : public QToolBar {
    Q_OBJECT

public:
    /// @param review outlives the bar
    /// @param actions has those of the review
    ReviewBar(Review* review, const WindowActions& actions, QWidget* window);

    /// Shown or hidden, as the review is on.
    void refresh();

private:
    void addButton(QHBoxLayout* layout, QAction* does, const QString& text, const QString& keys);

    Review* review_;
    QLabel* text_;
};

} // namespace assay
