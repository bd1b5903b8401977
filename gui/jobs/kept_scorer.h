#pragma once

#include "gui/jobs/engine_calls.h"
#include "gui/jobs/job_runner.h"

#include "engine/subsets/what_if/kept_audit.h"
#include "engine/subsets/what_if/kept_frechet.h"
#include "widgets/link/panel.h"
#include "widgets/link/useful_of_kept.h"

#include <QObject>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace assay {

/// What is known of the kept samples of a model.
struct KeptEvaluation {
    /// Of the kept samples alone; null if no rule applies, or if too few samples are kept for a score.
    std::shared_ptr<const WhatIfResult> scores;
    std::shared_ptr<const WhatIfResult> random; ///< of as many random samples; null until they are computed
    std::shared_ptr<const KeptAudit> audits;    ///< of both, with intervals; null also where they would take long
    std::shared_ptr<const KeptFrechet> frechet; ///< of both; null also where the model has no Frechet distance
    std::shared_ptr<const CoverageLost> lost;   ///< real samples that the kept samples no longer cover
};

/// Scores of the kept samples of the current model alone, updated in the background with rules and verdicts by hand. Of
/// the changes during a job the last one is scored next, so that a slider that never rests shows scores, too.
class KeptScorer : public QObject {
    Q_OBJECT

public:
    KeptScorer(EngineCalls::ScoreKept scoreKept, EngineCalls::AuditKept auditKept, QObject* parent = nullptr);

    /// Scores what this state keeps, unless that is done. Scores of another model are dropped.
    void follow(const ViewState& state);

    /// Gives up what is under way; the next change is scored again.
    void stop();

    JobRunner* jobs() noexcept { return &jobs_; }
    /// Of the last kept samples that were scored.
    const KeptEvaluation& found() const noexcept { return found_; }
    std::shared_ptr<const WhatIfResult> scores() const noexcept { return found_.scores; }

signals:
    /// Something was found, or what was known is dropped.
    void changed();

private:
    using Kept = std::shared_ptr<const std::vector<bool>>;
    enum class Turn { First, Later }; ///< later: coverage lost, random samples, Frechet distances, intervals

    void setModel(const ViewState& state);
    /// Starts what is missing of the wanted samples, the scores first.
    void scoreNext();
    void scoreRest();
    /// @param work on a worker thread @param take called with the samples and the result, unless these are unwanted
    template <class T>
    void run(Turn turn, const QString& title, std::function<T(const JobContext&)> work,
             std::function<void(const Kept&, std::shared_ptr<const T>)> take) {
        later_ = turn == Turn::Later;
        jobs_.start<T>(
            title,
            [work = std::move(work)](const RunningJob& job) { return std::make_shared<const T>(work(job.context())); },
            [this, take = std::move(take), kept = wanted_, model = model_](std::shared_ptr<const T> result) {
                later_ = false;
                if (wanted_ && model == model_) {
                    take(kept, std::move(result));
                    emit changed();
                }
                scoreNext();
            });
    }
    void forget();

    EngineCalls::ScoreKept scoreKept_;
    EngineCalls::AuditKept auditKept_;
    std::shared_ptr<const AuditResult> audit_;
    std::size_t index_ = 0; ///< of the model in it
    std::shared_ptr<const ModelAudit> model_;
    std::shared_ptr<const KeptScoring> scoring_; ///< of this model
    Kept wanted_;                                ///< null: nothing
    Kept scored_;
    std::shared_ptr<FrechetOfSubset> frechet_; ///< of this model; used by one job at a time
    Kept audited_;
    Kept frechetOf_;              ///< that `found_.frechet` is of
    Kept lostOf_;                 ///< that `found_.lost` is of
    bool later_ = false;          ///< the running job is of what can wait
    std::size_t randomCount_ = 0; ///< samples that `found_.random` is of
    KeptEvaluation found_;
    JobRunner jobs_; // last: its thread ends first
};

/// Utility and membership of the kept samples of the current model, and of as many at random, in the background. It
/// trains classifiers, so it works only for views that ask, and anew for what is kept later: the job before is stopped.
class UsefulScorer : public QObject {
    Q_OBJECT

public:
    explicit UsefulScorer(EngineCalls::UsefulIfKeptCall usefulIfKept, QObject* parent = nullptr);

    /// Scores what this state keeps, unless that is done or under way.
    void score(const ViewState& state);
    /// Gives up what this state does not keep any more.
    void follow(const ViewState& state);
    /// Gives up what is under way; the next change is scored again when a view asks.
    void stop() { jobs_.cancel(); }

    JobRunner* jobs() noexcept { return &jobs_; }
    /// Of what was asked for last; null until it is known.
    std::shared_ptr<const UsefulOfKept> scores() const noexcept { return scores_; }

signals:
    void scoresChanged(std::shared_ptr<const assay::UsefulOfKept> scores);

private:
    void show(std::shared_ptr<const UsefulOfKept> scores);
    void giveUp();

    EngineCalls::UsefulIfKeptCall usefulIfKept_;
    std::shared_ptr<const std::vector<bool>> wanted_; ///< null: nothing
    std::shared_ptr<const ModelAudit> model_;         ///< whose samples these are
    std::shared_ptr<const UsefulOfKept> scores_;
    JobRunner jobs_; // last: its thread ends first
};

} // namespace assay
