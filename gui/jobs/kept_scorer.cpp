#include "gui/jobs/kept_scorer.h"

#include "engine/audit/result/audit_result.h"

#include <QThreadPool>

#include <algorithm>

namespace assay {
namespace {

/// A model whose own audit took longer is not audited again at every change of the rules.
constexpr double kQuickAudit = 60.0; // s

bool enoughKept(const ViewState& state) {
    const auto kept = std::count(state.kept->begin(), state.kept->end(), true);
    return static_cast<std::size_t>(kept) > state.audit->k;
}

} // namespace

KeptScorer::KeptScorer(EngineCalls::ScoreKept scoreKept, EngineCalls::AuditKept auditKept, QObject* parent)
    : QObject(parent), scoreKept_(std::move(scoreKept)), auditKept_(std::move(auditKept)) {
    connect(&jobs_, &JobRunner::cancelled, this, [this] {
        later_ = false;
        scoreNext();
    });
    connect(&jobs_, &JobRunner::failed, this, [this] {
        if (std::exchange(later_, false)) // what is kept has its scores all the same
            return;
        scored_ = wanted_; // once is enough
        found_.scores.reset();
        emit changed();
    });
}

void KeptScorer::follow(const ViewState& state) {
    setModel(state);
    wanted_ = scoring_ && state.kept && enoughKept(state) ? state.kept : nullptr;
    if (!wanted_) {
        forget();
        jobs_.cancel();
    } else if (!jobs_.isRunning()) {
        scoreNext();
    } else if (later_ && wanted_ != scored_) {
        jobs_.cancel(); // the kept ones go first
    }
}

void KeptScorer::stop() {
    wanted_ = nullptr;
    jobs_.cancel();
}

void KeptScorer::forget() {
    scored_.reset();
    audited_.reset();
    lostOf_.reset();
    frechetOf_.reset();
    randomCount_ = 0;
    found_ = {};
    emit changed();
}

void KeptScorer::setModel(const ViewState& state) {
    audit_ = state.audit;
    index_ = state.model;
    const auto model = state.hasModel() ? state.audit->models[state.model] : nullptr;
    if (model == model_)
        return;
    model_ = model;
    frechet_ = model && scoreKept_ ? std::make_shared<FrechetOfSubset>(state.audit, state.model) : nullptr;
    // Tables of a million samples take tens of milliseconds to free.
    QThreadPool::globalInstance()->start([old = std::exchange(scoring_, nullptr)]() mutable { old.reset(); });
    if (model && scoreKept_)
        scoring_ = std::make_shared<const KeptScoring>(scoreKept_(state.audit, state.model));
    forget();
    jobs_.cancel();
}

void KeptScorer::scoreNext() {
    if (!wanted_)
        return;
    if (wanted_ == scored_) {
        scoreRest();
        return;
    }
    run<WhatIfResult>(
        Turn::First, tr("Scoring kept samples"),
        [scoring = scoring_, kept = wanted_](const JobContext& job) { return (*scoring)(*kept, job); },
        [this](const Kept& kept, std::shared_ptr<const WhatIfResult> scores) {
            scored_ = kept;
            found_.audits.reset(); // of other samples
            found_.frechet.reset();
            found_.scores = std::move(scores);
        });
}

/// A moving slider waits for scores alone. Once these are there, what can wait follows, one after another: the coverage
/// lost, as many samples drawn at random (the same ones for the same number), Frechet distances of both, and last of
/// all the intervals.
void KeptScorer::scoreRest() {
    if (!found_.scores)
        return;
    const auto count = static_cast<std::size_t>(std::count(wanted_->begin(), wanted_->end(), true));
    if (lostOf_ != wanted_) {
        run<CoverageLost>(
            Turn::Later, tr("Finding the coverage lost"),
            [audit = audit_, index = index_, kept = wanted_](const JobContext& job) {
                return coverageLost(*audit, index, *kept, job);
            },
            [this](const Kept& kept, std::shared_ptr<const CoverageLost> lost) {
                lostOf_ = kept;
                found_.lost = std::move(lost);
            });
    } else if (count != randomCount_) {
        run<WhatIfResult>(
            Turn::Later, tr("Scoring as many at random"),
            [scoring = scoring_, rows = wanted_->size(), count](const JobContext& job) {
                return (*scoring)(randomRows(rows, count), job);
            },
            [this, count](const Kept&, std::shared_ptr<const WhatIfResult> scores) {
                randomCount_ = count;
                found_.random = std::move(scores);
            });
    } else if (frechetOf_ != wanted_ && frechet_->isKnown()) {
        run<KeptFrechet>(
            Turn::Later, tr("Fr\u00e9chet distance of kept samples"),
            [frechet = frechet_, kept = wanted_, count](const JobContext& job) {
                const double ofKept = frechet->evaluate(*kept, job.part({}, 0.0, 0.6));
                return KeptFrechet{ofKept, frechet->evaluate(randomRows(kept->size(), count), job.part({}, 0.6, 1.0))};
            },
            [this](const Kept& kept, std::shared_ptr<const KeptFrechet> frechet) {
                frechetOf_ = kept;
                found_.frechet = std::move(frechet);
            });
    } else if (auditKept_ && audited_ != wanted_ && model_->seconds <= kQuickAudit && !model_->intervals.empty()) {
        run<KeptAudit>(
            Turn::Later, tr("Intervals of kept samples"),
            [call = auditKept_, audit = audit_, index = index_, kept = wanted_](const JobContext& job) {
                return call(audit, index, *kept, job);
            },
            [this](const Kept& kept, std::shared_ptr<const KeptAudit> audits) {
                if (kept != wanted_)
                    return;
                audited_ = kept;
                found_.audits = std::move(audits);
            });
    }
}

UsefulScorer::UsefulScorer(EngineCalls::UsefulIfKeptCall usefulIfKept, QObject* parent)
    : QObject(parent), usefulIfKept_(std::move(usefulIfKept)) {
    connect(&jobs_, &JobRunner::cancelled, this, &UsefulScorer::giveUp);
    connect(&jobs_, &JobRunner::failed, this, &UsefulScorer::giveUp);
}

/// Once is enough: views show that there is none.
void UsefulScorer::giveUp() {
    if (wanted_)
        show(std::make_shared<const UsefulOfKept>(UsefulOfKept{wanted_, std::nullopt}));
}

void UsefulScorer::score(const ViewState& state) {
    if (!usefulIfKept_ || !keepsSome(state))
        return;
    const std::shared_ptr<const ModelAudit> model = state.audit->models[state.model];
    if (state.kept == wanted_ && model == model_)
        return;
    wanted_ = state.kept;
    model_ = model;
    jobs_.start<UsefulOfKept>(
        tr("Usefulness of kept samples"),
        [call = usefulIfKept_, audit = state.audit, index = state.model, kept = wanted_](const RunningJob& job) {
            return std::make_shared<const UsefulOfKept>(UsefulOfKept{kept, call(audit, index, *kept, job.context())});
        },
        [this](std::shared_ptr<const UsefulOfKept> scores) {
            if (scores->kept == wanted_)
                show(std::move(scores));
        });
}

void UsefulScorer::follow(const ViewState& state) {
    if (!wanted_ || (state.kept == wanted_ && state.hasModel() && state.audit->models[state.model] == model_))
        return;
    wanted_.reset();
    model_.reset();
    jobs_.cancel();
    show(nullptr);
}

void UsefulScorer::show(std::shared_ptr<const UsefulOfKept> scores) {
    if (scores == scores_)
        return;
    scores_ = std::move(scores);
    emit scoresChanged(scores_);
}

} // namespace assay
