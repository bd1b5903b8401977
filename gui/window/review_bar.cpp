#include "gui/window/review_bar.h"

#include "gui/session/review.h"
#include "gui/window/window_actions.h"
#include "widgets/common/controls.h"
#include "widgets/common/eliding_label.h"
#include "widgets/common/number_format.h"

#include <QAction>
#include <QHBoxLayout>
#include <QToolButton>

namespace assay {

ReviewBar::ReviewBar(Review* review, const WindowActions& actions, QWidget* window)
    : QToolBar(tr("Review"), window), review_(review), text_(named<ElidingLabel>("reviewText")) {
    setObjectName(QStringLiteral("reviewBar"));
    setMovable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    toggleViewAction()->setVisible(false); // it comes and goes with the review
    auto* row = new QWidget;
    auto* layout = newLayout<QHBoxLayout>(row, {8, 2, 8, 2}, 4);
    layout->addWidget(text_, 1);
    addButton(layout, actions.action(QStringLiteral("actionAcceptByHand")), tr("Keep"), tr("A"));
    addButton(layout, actions.action(QStringLiteral("actionRejectByHand")), tr("Reject"), tr("X"));
    addButton(layout, actions.action(QStringLiteral("actionUnsureByHand")), tr("Unsure"), tr("U"));
    layout->addSpacing(8);
    addButton(layout, actions.action(QStringLiteral("actionReviewBack")), tr("Back"), tr("Backspace"));
    addButton(layout, actions.action(QStringLiteral("actionNextUndecided")), tr("Skip"), tr("F3"));
    layout->addSpacing(8);
    addButton(layout, actions.action(QStringLiteral("actionReview")), tr("End"), tr("Esc"));
    addWidget(row);
    connect(review_, &Review::changed, this, &ReviewBar::refresh);
    refresh();
}

void ReviewBar::addButton(QHBoxLayout* layout, QAction* does, const QString& text, const QString& keys) {
    auto* button = new QToolButton;
    button->setObjectName(QStringLiteral("review_%1").arg(does->objectName()));
    button->setText(tr("%1 (%2)").arg(text, keys));
    button->setToolTip(does->statusTip());
    button->setFocusPolicy(Qt::TabFocus); // a click leaves the keyboard, and with it Space, where it is
    button->setEnabled(does->isEnabled());
    connect(button, &QToolButton::clicked, does, &QAction::trigger);
    connect(does, &QAction::changed, button, [does, button] { button->setEnabled(does->isEnabled()); });
    layout->addWidget(button);
}

void ReviewBar::refresh() {
    if (review_->isOn()) {
        const auto [reviewed, listed] = review_->progress();
        if (listed == 0)
            text_->setText(review_->listsUndecidedOnly() ? tr("Review: nothing is left to look at")
                                                         : tr("Review: the ranking lists no sample"));
        else if (review_->listsUndecidedOnly())
            text_->setText(tr("Review: %1 left to look at").arg(formatCount(listed)));
        else if (reviewed == listed)
            text_->setText(tr("Review: all %1 looked at").arg(formatCount(listed)));
        else
            text_->setText(tr("Review: %1 of %2 looked at").arg(formatCount(reviewed), formatCount(listed)));
    }
    setVisible(review_->isOn());
}

} // namespace assay
