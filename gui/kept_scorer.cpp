#include "gui/kept_scorer.h"

#include <algorithm>
#include <utility>

namespace assay {
namespace {

bool enoughKept(const ViewState& state) {
    const auto kept = std::count(state.kept->begin(), state.kept->end(), true);
    return static_cast<std::size_t>(kept) > state.audit->k;
}

} // namespace

KeptScorer::KeptScorer(EngineCalls::ScoreKept scoreKept, QObject* parent)
    : QObject(parent), scoreKept_(std::move(scoreKept)) {
    connect(&jobs_, &JobRunner::cancelled, this, &KeptScorer::scoreNext);
    connect(&jobs_, &JobRunner::failed, this, [this] {
        scored_ = wanted_; // once is enough
        show(nullptr);
    });
}

void KeptScorer::follow(const ViewState& state) {
    setModel(state);
    wanted_ = scoring_ && state.kept && enoughKept(state) ? state.kept : nullptr;
    if (!wanted_) {
        scored_.reset();
        show(nullptr);
        jobs_.cancel();
    } else if (!jobs_.isRunning()) {
        scoreNext();
    }
}

void KeptScorer::setModel(const ViewState& state) {
    const auto model = state.hasModel() ? state.audit->models[state.model] : nullptr;
    if (model == model_)
        return;
    model_ = model;
    scoring_.reset();
    if (model && scoreKept_)
        scoring_ = std::make_shared<const KeptScoring>(scoreKept_(state.audit, state.model));
    scored_.reset();
    show(nullptr);
    jobs_.cancel();
}

void KeptScorer::scoreNext() {
    if (!wanted_ || wanted_ == scored_)
        return;
    jobs_.start<WhatIfResult>(
        tr("Scoring what is kept"),
        [scoring = scoring_, kept = wanted_](const RunningJob& job) {
            return std::make_shared<const WhatIfResult>((*scoring)(*kept, job.context()));
        },
        [this, kept = wanted_, model = model_](std::shared_ptr<const WhatIfResult> scores) {
            if (wanted_ && model == model_) {
                scored_ = kept;
                show(std::move(scores));
            }
            scoreNext();
        });
}

void KeptScorer::show(std::shared_ptr<const WhatIfResult> scores) {
    if (scores == scores_)
        return;
    scores_ = std::move(scores);
    emit scoresChanged(scores_);
}

} // namespace assay
