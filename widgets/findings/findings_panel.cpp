#include "widgets/findings/findings_panel.h"

#include "widgets/common/controls.h"
#include "widgets/common/labels.h"
#include "widgets/findings/finding_card.h"
#include "widgets/link/sample_selection.h"
#include "widgets/link/thumbnail_cache.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <iterator>

namespace assay {
namespace {

constexpr std::chrono::seconds kNoticeTime{20}; // that all scores are in is news no longer

/// Whether exactly these samples are selected; both ascend.
bool isSelected(const Finding& finding, SetId set, const SampleSet& selected) {
    return !finding.rows.empty() && selected.size() == finding.rows.size() &&
           selected.countIn(set) == finding.rows.size() && std::ranges::all_of(finding.rows, [&](std::uint32_t row) {
               return selected.contains({set, row});
           });
}

bool isOldVerdicts(const Finding& finding) {
    return finding.kind->id == "old_verdicts";
}

} // namespace

FindingsPanel::FindingsPanel(PanelHost& host) : Panel(host) {
    setObjectName(QStringLiteral("findingsPanel"));
    auto* body = new QWidget(this);
    auto* layout = newLayout<QVBoxLayout>(body, {8, 6, 8, 8}, 6);
    summary_ = named<WrappingLabel>("findingsSummary", body);
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont bold = summary_->font();
    bold.setBold(true);
    summary_->setFont(bold);
    layout->addWidget(summary_);
    stage_ = named<WrappingLabel>("findingsStage", body);
    stage_->hide();
    layout->addWidget(stage_);
    judge_ = newButton<QPushButton>("judgeAgain", tr("Judge again"),
                                    tr("Score and judge all samples again with this version's statistics"), body);
    connect(judge_, &QPushButton::clicked, this, [this] { this->host().run(PanelCommand::JudgeAgain); });
    layout->addWidget(judge_, 0, Qt::AlignLeft);
    cardLayout_ = new QVBoxLayout;
    cardLayout_->setSpacing(6);
    layout->addLayout(cardLayout_);
    layout->addStretch(1);
    scroll_ = newScroll(body, this, Qt::ScrollBarAlwaysOff);
    setContent(scroll_, tr("The faults of the current model appear here."));
    setMinimumWidth(200);
}

void FindingsPanel::stateChanged(const Changes& changes) {
    if (changes.model)
        fill();
    else
        for (FindingCard* card : cards_)
            card->setState(state());
}

void FindingsPanel::fill() {
    for (FindingCard* card : cards_) {
        card->hide(); // deleted later: one of them may have brought this about
        card->deleteLater();
    }
    cards_.clear();
    if (!state().hasModel())
        return;
    showStage();
    summary_->setText(QString::fromStdString(state().current().summary));
    const std::vector<Finding>& findings = state().current().findings;
    judge_->setVisible(std::ranges::any_of(findings, isOldVerdicts));
    for (const Finding& finding : findings)
        addCard(finding);
    scroll_->verticalScrollBar()->setValue(0);
    selectionChanged();
}

int FindingsPanel::heightWanted(int width) const {
    if (cards_.empty())
        return 0;
    const QLayout* layout = scroll_->widget()->layout();
    const QMargins margins = layout->contentsMargins();
    const int room = width - margins.left() - margins.right();
    const auto heightOf = [room](const QWidget* part) {
        const int height = part->heightForWidth(room);
        return height > 0 ? height : part->sizeHint().height();
    };
    int height = margins.top() + heightOf(summary_) + layout->spacing() + heightOf(cards_.front()) + margins.bottom();
    if (!judge_->isHidden())
        height += judge_->sizeHint().height() + layout->spacing();
    return height;
}

/// Says that scores are the first ones, and when the rest has changed the sentence.
void FindingsPanel::showStage() {
    const ModelAudit& model = state().current();
    const QString name = QString::fromStdString(model.name);
    const bool changed = name == firstName_ && QString::fromStdString(model.summary) != summary_->text();
    stage_->setText(!model.complete ? tr("First scores: the rest is being computed and may change what is said here.")
                    : changed       ? tr("Updated: all scores are in.")
                                    : QString());
    stage_->setVisible(!stage_->text().isEmpty());
    firstName_ = model.complete ? QString() : name;
    if (changed)
        QTimer::singleShot(kNoticeTime, stage_,
                           [this] { stage_->setVisible(!state().hasModel() || !state().current().complete); });
}

void FindingsPanel::addCard(const Finding& finding) {
    auto* card = new FindingCard(finding, selection(), pictures(), cardLayout_->parentWidget());
    card->setState(state());
    connect(card, &FindingCard::chosen, this, [this, card] { selection()->replace(state().shownOf(card->samples())); });
    connect(card, &FindingCard::filterWanted, this, [this](const ViewFilter& filter) { host().setFilter(filter); });
    connect(card, &FindingCard::rejectionWanted, this,
            [this, card] { host().judge(card->samples(), HandVerdict::Rejected); });
    connect(card, &FindingCard::groupsWanted, this, [this] { host().run(PanelCommand::ChooseGroups); });
    connect(card, &FindingCard::inspectRequested, this, [this](SampleId sample) { host().inspect(sample); });
    connect(card, &FindingCard::moved, this, [this, card](int step) { focusCard(card, step); });
    cardLayout_->addWidget(card);
    cards_.push_back(card);
}

/// Notes without samples cannot have the focus and are passed over.
void FindingsPanel::focusCard(const FindingCard* from, int step) {
    auto at = std::ranges::find(cards_, from) - cards_.begin();
    for (at += step; at >= 0 && at < std::ssize(cards_); at += step)
        if (FindingCard* card = cards_[static_cast<std::size_t>(at)]; card->focusPolicy() != Qt::NoFocus) {
            card->setFocus(Qt::OtherFocusReason);
            return;
        }
}

void FindingsPanel::selectionChanged() {
    for (FindingCard* card : cards_) {
        const SetId set = card->finding().side == Side::Real ? SetId::Real : state().currentSet();
        card->setChosen(isSelected(card->finding(), set, selection()->samples()));
    }
}

} // namespace assay
