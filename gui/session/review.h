#pragma once

#include "engine/data/sample_set.h"
#include "gui/session/audit_session.h"

#include <QObject>
#include <QPointer>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace assay {

class RankingModel;

/// Reviewing by hand: goes over the ranking as it is listed, in any order and under any filter. Each verdict moves on
/// to the next undecided sample, in the same step of the history: undoing it goes back to the sample.
///
/// It holds no verdicts: those are the session's. It goes on while the ranking is behind another tab.
class Review : public QObject {
    Q_OBJECT

public:
    struct Progress {
        std::size_t reviewed = 0; ///< of the listed samples
        std::size_t listed = 0;
    };

    /// @param session outlives this
    explicit Review(AuditSession* session, QObject* parent = nullptr);

    /// The ranking to go over; without one there is nothing to review.
    void setRanking(RankingModel* ranking);

    /// Whether synthetic samples are listed; nobody decides about real ones.
    bool canStart() const;
    bool isOn() const noexcept { return on_; }
    /// Takes time in the number of samples that have a verdict.
    Progress progress() const;
    /// Whether the list leaves out what has been reviewed.
    bool listsUndecidedOnly() const;

public slots:
    /// Begins with the focused sample where that is listed and undecided, else with the next one that is.
    void start();
    void end();
    /// Gives the selected samples a verdict and moves on; of a list of the selected samples, the focused one.
    void judge(assay::HandVerdict verdict);
    /// Moves on to the next undecided sample, from the last one to the first; also while no review is on.
    void skip();
    /// Goes back to the sample before, whatever its verdict.
    void back();

signals:
    /// It began or ended, moved on, or the progress has changed.
    void changed();

private:
    void followSession();
    void followRanking();
    /// Has the ranking list what the session holds now, also where nobody sees it.
    bool catchUp();
    /// Where the focused sample is listed; where it was, if it has left the list.
    std::optional<std::size_t> place();
    /// The first undecided sample from a position on, round and round; none of `judged`.
    std::optional<SampleId> undecidedFrom(std::size_t position, const SampleSet& judged) const;
    SelectionSnapshot selectionAt(SampleId sample) const;
    void goTo(SampleId sample);

    AuditSession* session_;
    QPointer<RankingModel> ranking_;
    bool on_ = false;
    std::size_t lastPlace_ = 0;
    std::vector<SampleId> trail_;              ///< samples that it moved on from
    std::shared_ptr<const AuditResult> audit_; ///< that the trail is of, with its model
    std::size_t model_ = 0;
};

} // namespace assay
