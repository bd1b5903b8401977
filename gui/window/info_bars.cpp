#include "gui/window/info_bars.h"

#include "gui/session/audit_session.h"
#include "gui/session/review.h"
#include "gui/session/tour.h"
#include "gui/window/window_actions.h"
#include "widgets/common/controls.h"
#include "widgets/common/labels.h"
#include "widgets/common/number_format.h"

#include "engine/audit/result/finding.h"
#include "engine/data/embedding_set.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace assay {
namespace {

/// "Shows 612 samples of the finding \u201cCrowded samples: 30 % of its samples \u2026\u201d"
QString findingText(const Finding& finding) {
    const QString count = formatCount(finding.rows.size());
    const QString what = finding.side == Side::Real ? FilterBar::tr("Shows %1 real samples of the finding")
                                                    : FilterBar::tr("Shows %1 synthetic samples of the finding");
    return FilterBar::tr("%1 \u201c%2: %3\u201d Scores, curves and decisions are of all samples.")
        .arg(what.arg(count), catalogText(finding.kind->title), QString::fromStdString(finding.sentence));
}

} // namespace

InfoBar::InfoBar(const char* name, const QString& title, QWidget* window) : QToolBar(title, window) {
    setObjectName(QLatin1String(name));
    setMovable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    toggleViewAction()->setVisible(false); // it comes and goes by itself
}

FilterBar::FilterBar(AuditSession* session, QWidget* parent)
    : InfoBar("filterBar", tr("Filter"), parent), session_(session), text_(named<ElidingLabel>("filterText")) {
    auto* all = newButton<QPushButton>("filterClear", tr("Show all"), tr("Show all samples again (Ctrl+Shift+L)"));
    auto* row = new QWidget;
    addAll(newLayout<QHBoxLayout>(row, {8, 2, 8, 2}), Wide{text_}, all);
    addWidget(row);
    connect(all, &QPushButton::clicked, session_->editor(), &Editor::showAll);
    connect(session_->document(), &Document::stateChanged, this, &FilterBar::refresh);
    refresh();
}

void FilterBar::refresh() {
    const ViewState& state = session_->state();
    const bool filtered = state.shown != nullptr;
    if (filtered) {
        const auto part = [](std::size_t shown, std::size_t all) {
            return tr("%1 of %2").arg(formatCount(shown), formatCount(all));
        };
        text_->setText(tr("Showing %1 synthetic and %2 real samples: %3. Scores, curves and decisions are of all.")
                           .arg(part(state.shown->countIn(state.currentSet()), state.current().set->rows()),
                                part(state.shown->countIn(SetId::Real), state.audit->real->set->rows()),
                                filterText(state.filter)));
        if (const Finding* finding = filteredFinding(state))
            text_->setText(findingText(*finding));
    }
    setVisible(filtered);
}

ReviewBar::ReviewBar(Review* review, const WindowActions& actions, QWidget* window)
    : InfoBar("reviewBar", tr("Review"), window), review_(review), text_(named<ElidingLabel>("reviewText")) {
    auto* row = new QWidget;
    auto* layout = newLayout<QHBoxLayout>(row, {8, 2, 8, 2}, 4);
    layout->addWidget(text_, 1);
    addButton(layout, actions.action("actionAcceptByHand"), tr("Keep"), tr("A"));
    addButton(layout, actions.action("actionRejectByHand"), tr("Reject"), tr("X"));
    addButton(layout, actions.action("actionUnsureByHand"), tr("Unsure"), tr("U"));
    layout->addSpacing(8);
    addButton(layout, actions.action("actionReviewBack"), tr("Back"), tr("Backspace"));
    addButton(layout, actions.action("actionNextUndecided"), tr("Skip"), tr("F3"));
    layout->addSpacing(8);
    addButton(layout, actions.action("actionReview"), tr("End"), tr("Esc"));
    addWidget(row);
    connect(review_, &Review::changed, this, &ReviewBar::refresh);
    refresh();
}

void ReviewBar::addButton(QHBoxLayout* layout, QAction* does, const QString& text, const QString& keys) {
    auto* button = newButton<QToolButton>("", tr("%1 (%2)").arg(text, keys), does->statusTip());
    button->setObjectName(QStringLiteral("review_%1").arg(does->objectName()));
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

TourBar::TourBar(Tour* tour, std::function<QString(std::size_t)> modelName, QWidget* parent)
    : InfoBar("tourBar", tr("Walk through the findings"), parent), tour_(tour), modelName_(std::move(modelName)),
      place_(named<QLabel>("tourPlace")), text_(newText("tourText")), row_(new QWidget) {
    QFont bold = font();
    bold.setBold(true);
    place_->setFont(bold);
    back_ = newButton<QToolButton>("tourBack", tr("Back"), {});
    next_ = newButton<QToolButton>("tourNext", tr("Next"), {});
    auto* end = newButton<QToolButton>("tourEnd", tr("End"), {});
    auto* layout = addAll(newLayout<QHBoxLayout>(row_, {8, 4, 8, 4}, 8), place_, Wide{text_}, back_, next_, end);
    for (QWidget* part : {static_cast<QWidget*>(place_), static_cast<QWidget*>(back_), static_cast<QWidget*>(next_),
                          static_cast<QWidget*>(end)})
        layout->setAlignment(part, Qt::AlignVCenter);
    for (QToolButton* button : {back_, next_, end})
        button->setFocusPolicy(Qt::TabFocus);
    addWidget(row_);
    connect(back_, &QToolButton::clicked, tour_, &Tour::back);
    connect(next_, &QToolButton::clicked, tour_, &Tour::next);
    connect(end, &QToolButton::clicked, tour_, &Tour::end);
    connect(tour_, &Tour::changed, this, &TourBar::refresh);
    refresh();
}

void TourBar::refresh() {
    if (tour_->isOn()) {
        const TourStep& step = tour_->step();
        place_->setText(
            tr("%1 of %2: %3")
                .arg(formatCount(tour_->position() + 1), formatCount(tour_->count()), modelName_(step.model)));
        QString text = step.sentence;
        if (!step.advice.isEmpty())
            text += QLatin1Char(' ') + step.advice;
        if (step.example)
            text += QLatin1Char(' ') + tr("One of them is open on the right.");
        text_->setText(text);
        back_->setEnabled(tour_->position() > 0);
        next_->setText(tour_->position() + 1 < tour_->count() ? tr("Next") : tr("Done"));
    }
    setVisible(tour_->isOn());
    fitHeight();
}

void TourBar::resizeEvent(QResizeEvent* event) {
    QToolBar::resizeEvent(event);
    fitHeight();
}

void TourBar::fitHeight() {
    layout()->activate(); // the row has its width then
    if (const int height = row_->layout()->totalHeightForWidth(row_->width()); height > 0)
        row_->setFixedHeight(height);
}

} // namespace assay
