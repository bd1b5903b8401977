#pragma once

#include "engine/audit/run/audit_search.h"
#include "engine/base/ending.h"
#include "engine/base/job_context.h"
#include "engine/cluster/communicator.h"
#include "engine/cluster/ring.h"
#include "engine/data/embedding_set.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace assay {

/// An audit over several processes: rank 0 runs it, as a single process would, and asks the others for their part of
/// every pass; those serve until they are dismissed. Made with the same sets in the same order on every rank.
class ClusterAudit {
public:
    using Sets = std::vector<std::shared_ptr<const EmbeddingSet>>;

    /// @param threads of this process
    ClusterAudit(const Communicator& communicator, unsigned threads)
        : communicator_(communicator), ring_(communicator, threads) {}

    /// Makes sure that all have read their inputs, and the same. Every rank calls it once, with how its own reading
    /// ended and with the sets if that went well.
    /// @return on every rank how it ended for all; the message, on rank 0, names the first rank that failed
    Ending agree(const Ending& own, const Sets& sets, const JobContext& job);

    /// Rank 0: answers the passes of an audit of the sets agreed on, with the others' help.
    AuditSearchMaker search();
    /// Rank 0: from now on asks about these sets are about those agreed on: the same ones, in the same order, but
    /// whole.
    void standFor(const Sets& whole) { whole_ = whole; }
    /// Rank 0: whether the others wait for a command, so that they can be dismissed; not so after a failure in the
    /// middle of a pass.
    bool othersWait() const noexcept { return !inPass_; }
    /// Rank 0: sends the others home.
    void dismiss(int exitCode, const JobContext& job);

    /// Other ranks: does its part of every pass. @return the exit code once dismissed
    int serve(const JobContext& job);

private:
    class Search;
    enum class Task : std::uint32_t { Dismissed, SelfNeighbors, Cross, BallsHolding };

    /// What rank 0 asks for.
    struct Command {
        Task task = Task::Dismissed;
        std::int32_t exitCode = 0;
        std::uint64_t setA = 0;
        std::uint64_t setB = 0;
        std::uint64_t kAToB = 0; ///< within a set: k
        std::uint64_t kBToA = 0;
        std::uint64_t centres = 0;
        Ring::Balls balls;
    };

    void command(const Command& command, const JobContext& job);
    std::uint64_t numberOf(const EmbeddingSet& set) const;
    /// This rank's share of a set.
    const EmbeddingSet& shareOf(const EmbeddingSet& set) const { return *sets_[numberOf(set)]; }
    void takePart(const Command& command, const JobContext& job) const;

    const Communicator& communicator_;
    Ring ring_;
    Sets sets_;
    Sets whole_;
    bool inPass_ = false;
};

} // namespace assay
