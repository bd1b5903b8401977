#include "gui/jobs/kept_scorer.h"

#include <algorithm>
#include <random>
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
    connect(&jobs_, &JobRunner::cancelled, this, [this] {
        if (std::exchange(drawing_, false))
            randomCount_ = 0; // not known yet
        scoreNext();
    });
    connect(&jobs_, &JobRunner::failed, this, [this] {
        if (std::exchange(drawing_, false)) // what is kept has its scores all the same
            return;
        scored_ = wanted_; // once is enough
        show(nullptr);
    });
}

void KeptScorer::follow(const ViewState& state) {
    setModel(state);
    wanted_ = scoring_ && state.kept && enoughKept(state) ? state.kept : nullptr;
    if (!wanted_) {
        scored_.reset();
        randomCount_ = 0;
        showRandom(nullptr);
        show(nullptr);
        jobs_.cancel();
    } else if (!jobs_.isRunning()) {
        scoreNext();
    } else if (drawing_ && wanted_ != scored_) {
        jobs_.cancel(); // the kept ones go first
    }
}

void KeptScorer::stop() {
    wanted_ = nullptr;
    jobs_.cancel();
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
    randomCount_ = 0;
    showRandom(nullptr);
    show(nullptr);
    jobs_.cancel();
}

void KeptScorer::scoreNext() {
    if (!wanted_)
        return;
    if (wanted_ == scored_) {
        scoreRandom();
        return;
    }
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

/// Once what is kept has its scores: as many samples drawn at random, the same ones for the same number.
void KeptScorer::scoreRandom() {
    const auto count = static_cast<std::size_t>(std::count(wanted_->begin(), wanted_->end(), true));
    if (!scores_ || count == randomCount_)
        return;
    randomCount_ = count;
    drawing_ = true;
    jobs_.start<WhatIfResult>(
        tr("Scoring as many at random"),
        [scoring = scoring_, rows = wanted_->size(), count](const RunningJob& job) {
            std::vector<bool> kept(rows, false);
            std::fill_n(kept.begin(), count, true);
            std::shuffle(kept.begin(), kept.end(), std::mt19937_64(rows));
            return std::make_shared<const WhatIfResult>((*scoring)(kept, job.context()));
        },
        [this, count, model = model_](std::shared_ptr<const WhatIfResult> scores) {
            drawing_ = false;
            if (wanted_ && model == model_ && count == randomCount_)
                showRandom(std::move(scores));
            scoreNext();
        });
}

void KeptScorer::showRandom(std::shared_ptr<const WhatIfResult> scores) {
    if (scores == random_)
        return;
    random_ = std::move(scores);
    emit randomScoresChanged(random_);
}

void KeptScorer::show(std::shared_ptr<const WhatIfResult> scores) {
    if (scores == scores_)
        return;
    scores_ = std::move(scores);
    emit scoresChanged(scores_);
}

} // namespace assay
