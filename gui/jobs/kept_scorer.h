#pragma once

#include "gui/jobs/engine_calls.h"
#include "gui/jobs/job_runner.h"

#include "engine/subsets/what_if/coverage_lost.h"
#include "widgets/link/panel.h"
#include "widgets/link/useful_of_kept.h"

#include <QObject>

#include <memory>
#include <vector>

namespace assay {

/// Scores of the kept samples of the current model alone, updated while rules and hand
/// change them. Works in the background: of the changes that come while it is at work, the last one is scored next, so
/// that a slider that never rests shows scores all the same.
class KeptScorer : public QObject {
    Q_OBJECT

public:
    KeptScorer(EngineCalls::ScoreKept scoreKept, EngineCalls::AuditKept auditKept, QObject* parent = nullptr);

    /// Scores what this state keeps, unless that is done. Scores of another model are dropped.
    void follow(const ViewState& state);

    /// Gives up what is under way; the next change is scored again.
    void stop();

    JobRunner* jobs() noexcept { return &jobs_; }
    const JobRunner* jobs() const noexcept { return &jobs_; }
    /// Scores of the last kept samples that were scored; null if no rule applies, or if too few samples are kept for a
    /// score.
    std::shared_ptr<const WhatIfResult> scores() const noexcept { return scores_; }

    /// Scores of equally many random samples; null until they are computed.
    std::shared_ptr<const WhatIfResult> randomScores() const noexcept { return random_; }

    /// Audits of both, with intervals; null until these are known, and where they would take long.
    std::shared_ptr<const KeptAudit> audits() const noexcept { return audits_; }

    /// Real samples that the kept samples no longer cover; null until they are computed.
    std::shared_ptr<const CoverageLost> lost() const noexcept { return lost_; }

signals:
    void scoresChanged(std::shared_ptr<const assay::WhatIfResult> scores);
    void randomScoresChanged(std::shared_ptr<const assay::WhatIfResult> scores);
    void auditsChanged(std::shared_ptr<const assay::KeptAudit> audits);
    void lostChanged(std::shared_ptr<const assay::CoverageLost> lost);

private:
    using Kept = std::shared_ptr<const std::vector<bool>>;

    void setModel(const ViewState& state);
    void scoreNext();
    void scoreRest();
    void findLost();
    void scoreRandom(std::size_t count);
    void auditBoth();
    void show(std::shared_ptr<const WhatIfResult> scores);
    void showRandom(std::shared_ptr<const WhatIfResult> scores);
    void showAudits(std::shared_ptr<const KeptAudit> audits);
    void showLost(std::shared_ptr<const CoverageLost> lost);
    void forget();

    EngineCalls::ScoreKept scoreKept_;
    EngineCalls::AuditKept auditKept_;
    std::shared_ptr<const AuditResult> audit_;
    std::size_t index_ = 0; ///< of the model in it
    std::shared_ptr<const ModelAudit> model_;
    std::shared_ptr<const KeptScoring> scoring_; ///< of this model
    Kept wanted_;                                ///< null: nothing
    Kept scored_;
    Kept audited_;
    Kept lostOf_;                 ///< that `lost_` is of
    bool later_ = false;          ///< the running job is of what can wait: coverage lost, random samples, intervals
    std::size_t randomCount_ = 0; ///< samples that `random_` is of
    std::shared_ptr<const WhatIfResult> scores_;
    std::shared_ptr<const WhatIfResult> random_;
    std::shared_ptr<const KeptAudit> audits_;
    std::shared_ptr<const CoverageLost> lost_;
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
    const JobRunner* jobs() const noexcept { return &jobs_; }
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
