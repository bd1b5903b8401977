#pragma once

#include "gui/jobs/job_runner.h"
#include "gui/session/engine_calls.h"

#include "widgets/link/linked_view.h"

#include <QObject>

#include <memory>
#include <vector>

namespace assay {

/// What the current model would score if only the samples that are kept were there, followed while rules and hand
/// change them. Works in the background: of the changes that come while it is at work, the last one is scored next, so
/// that a slider that never rests shows scores all the same.
class KeptScorer : public QObject {
    Q_OBJECT

public:
    explicit KeptScorer(EngineCalls::ScoreKept scoreKept, QObject* parent = nullptr);

    /// Scores what this state keeps, unless that is done. Scores of another model are dropped.
    void follow(const ViewState& state);

    /// Gives up what is under way; the next change is scored again.
    void stop();

    JobRunner* jobs() noexcept { return &jobs_; }
    const JobRunner* jobs() const noexcept { return &jobs_; }
    /// Of what was kept last that has been scored; null where no rule is in force, and where too few samples are kept
    /// for a score.
    std::shared_ptr<const WhatIfResult> scores() const noexcept { return scores_; }

    /// Of as many samples drawn at random; null until that is known.
    std::shared_ptr<const WhatIfResult> randomScores() const noexcept { return random_; }

signals:
    void scoresChanged(std::shared_ptr<const assay::WhatIfResult> scores);
    void randomScoresChanged(std::shared_ptr<const assay::WhatIfResult> scores);

private:
    using Kept = std::shared_ptr<const std::vector<bool>>;

    void setModel(const ViewState& state);
    void scoreNext();
    void scoreRandom();
    void show(std::shared_ptr<const WhatIfResult> scores);
    void showRandom(std::shared_ptr<const WhatIfResult> scores);

    EngineCalls::ScoreKept scoreKept_;
    std::shared_ptr<const ModelAudit> model_;
    std::shared_ptr<const KeptScoring> scoring_; ///< of this model
    Kept wanted_;                                ///< null: nothing
    Kept scored_;
    bool drawing_ = false;        ///< the running job is of samples drawn at random
    std::size_t randomCount_ = 0; ///< samples that `random_` is of
    std::shared_ptr<const WhatIfResult> scores_;
    std::shared_ptr<const WhatIfResult> random_;
    JobRunner jobs_; // last: its thread ends first
};

} // namespace assay
