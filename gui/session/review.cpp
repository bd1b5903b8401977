#include "gui/session/review.h"

#include "widgets/link/decision_text.h"
#include "widgets/link/sample_selection.h"
#include "widgets/ranking/ranking_model.h"

#include <algorithm>
#include <utility>

namespace assay {
constexpr std::size_t kLongestTrail = 10'000;

Review::Review(AuditSession* session, QObject* parent) : QObject(parent), session_(session) {
    connect(session_->document(), &Document::stateChanged, this, &Review::followSession);
    connect(session_->selection(), &SampleSelection::changed, this, [this] {
        if (on_)
            emit changed();
    });
}

void Review::setRanking(RankingModel* ranking) {
    ranking_ = ranking;
    connect(ranking, &RankingModel::orderChanged, this, &Review::followRanking);
    connect(ranking, &QAbstractItemModel::modelReset, this, &Review::followRanking);
}

void Review::followSession() {
    const ViewState& state = session_->state();
    if (state.audit != audit_ || state.model != model_) {
        trail_.clear();
        lastPlace_ = 0;
    }
    audit_ = state.audit;
    model_ = state.model;
    if (!on_)
        return;
    if (!canStart()) {
        end();
        return;
    }
    catchUp();
    emit changed();
}

void Review::followRanking() {
    if (on_ && !canStart())
        end();
    else
        emit changed(); // also whether it can begin
}

bool Review::canStart() const {
    return ranking_ && session_->state().hasModel() && ranking_->order().side == Side::Synthetic;
}

bool Review::listsUndecidedOnly() const {
    return ranking_ && ranking_->show() == RankingShow::Undecided;
}

bool Review::catchUp() {
    if (!canStart())
        return false;
    ranking_->setState(session_->state());
    return true;
}

Review::Progress Review::progress() const {
    if (!canStart() || !ranking_->state().hasModel())
        return {};
    const ViewState& state = session_->state();
    Progress progress{0, ranking_->size()};
    const auto count = [&](SampleId sample) {
        if (ranking_->positionOf(sample))
            ++progress.reviewed;
    };
    if (state.rejectedByHand)
        for (const std::uint32_t row : *state.rejectedByHand)
            count({state.currentSet(), row});
    for (const auto& samples : {state.accepted, state.unsure})
        if (samples)
            std::ranges::for_each(samples->in(state.currentSet()), count);
    return progress;
}

std::optional<std::size_t> Review::place() {
    const auto focus = session_->selection()->focus();
    const auto listed = focus ? ranking_->positionOf(*focus) : std::nullopt;
    if (listed)
        lastPlace_ = *listed;
    return listed;
}

std::optional<SampleId> Review::undecidedFrom(std::size_t position, const SampleSet& judged) const {
    const std::size_t size = ranking_->size();
    for (std::size_t step = 0; step < size; ++step) {
        const SampleId sample = ranking_->sampleAt((position + step) % size);
        if (!isReviewed(session_->state(), sample) && !judged.contains(sample))
            return sample;
    }
    return std::nullopt;
}

SelectionSnapshot Review::selectionAt(SampleId sample) const {
    const SampleSet& selected = session_->selection()->samples();
    // Selecting one alone would empty a list of the selected ones.
    const bool within = ranking_->show() == RankingShow::Selected && selected.contains(sample);
    return {within ? selected : SampleSet{sample}, sample};
}

void Review::goTo(SampleId sample) {
    const SelectionSnapshot there = selectionAt(sample);
    session_->selection()->replace(there.samples, there.focus);
}

void Review::start() {
    if (!catchUp())
        return;
    on_ = true;
    trail_.clear();
    if (const auto first = undecidedFrom(place().value_or(0), {}))
        goTo(*first);
    place();
    emit changed();
}

void Review::end() {
    if (!std::exchange(on_, false))
        return;
    trail_.clear();
    emit changed();
}

void Review::judge(HandVerdict verdict) {
    SampleSelection* selection = session_->selection();
    if (!catchUp() || selection->isEmpty())
        return;
    const auto focus = selection->focus();
    const auto at = place();
    const bool one = ranking_->show() == RankingShow::Selected && focus;
    const SampleSet judged = one ? SampleSet{*focus} : selection->samples().in(session_->state().currentSet());
    const auto next = undecidedFrom(at ? *at + 1 : lastPlace_, judged);
    if (focus && trail_.size() < kLongestTrail)
        trail_.push_back(*focus);
    session_->editor()->judge(judged, verdict, next ? std::optional(selectionAt(*next)) : std::nullopt);
    place();
}

void Review::skip() {
    if (!catchUp())
        return;
    const auto focus = session_->selection()->focus();
    const auto at = place();
    const auto next = undecidedFrom(at ? *at + 1 : lastPlace_, {});
    if (!next || next == focus)
        return;
    if (focus && on_)
        trail_.push_back(*focus);
    goTo(*next);
    place();
}

void Review::back() {
    if (!catchUp())
        return;
    const auto focus = session_->selection()->focus();
    while (!trail_.empty() && trail_.back() == focus)
        trail_.pop_back(); // undone
    if (!trail_.empty()) {
        const SampleId before = trail_.back();
        trail_.pop_back();
        goTo(before);
    } else if (const auto at = place(); at && *at > 0) {
        goTo(ranking_->sampleAt(*at - 1));
    }
    place();
}

} // namespace assay
