#pragma once

#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/cluster/communicator.h"
#include "engine/cluster/ring.h"
#include "engine/data/embedding_set.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace assay {

/// An audit over several processes. Rank 0 runs it as a single process would, and broadcasts a command for every pass;
/// the other ranks execute their share of each pass until they are dismissed. Made with the same sets in the same order
/// on every rank.
class ClusterAudit {
public:
    using Sets = std::vector<std::shared_ptr<const EmbeddingSet>>;

    /// @param threads of this process
    ClusterAudit(const Communicator& communicator, unsigned threads)
        : communicator_(communicator), ring_(communicator, threads) {}

    /// Checks that all ranks have read their inputs, and sets of the same shape. A collective call, once per rank.
    /// @param own outcome of reading on this rank
    /// @param sets the sets that this rank read; empty after a failure
    /// @return the common exit code; on rank 0 with a message that names the first rank that failed
    JobOutcome agree(const JobOutcome& own, const Sets& sets, const JobContext& job);

    /// Rank 0: a search that runs the passes of an audit over all ranks. For the sets passed to agree().
    decltype(AuditOptions::search) search();
    /// Rank 0: later passes may name these sets, which hold all rows, instead of the shares passed to agree().
    /// @param whole the same sets in the same order
    void setWholeSets(const Sets& whole) { whole_ = whole; }
    /// Rank 0: whether the other ranks wait for a command and can be dismissed; false after a failure within a pass.
    bool othersWait() const noexcept { return !inPass_; }
    /// Rank 0: makes serve() return on the other ranks.
    void dismiss(int exitCode, const JobContext& job);

    /// Other ranks: executes commands until dismissed. @return the exit code passed to dismiss()
    int serve(const JobContext& job);

private:
    class Search;
    enum class Task : std::uint32_t { Dismissed, Within, Between, BallsHolding };

    /// RingSide without its radii, as it is sent.
    struct WantedOfSide {
        std::uint64_t k = 0;
        bool hasBalls = false;
        bool hasInnerBalls = false;

        static WantedOfSide of(const RingSide& side) { return {side.k, side.hasBalls, side.hasInnerBalls}; }
        RingSide side() const { return {.k = k, .hasBalls = hasBalls, .hasInnerBalls = hasInnerBalls}; }
    };

    /// One pass, as rank 0 sends it to the other ranks.
    struct Command {
        Task task = Task::Dismissed;
        std::int32_t exitCode = 0;
        std::uint64_t setA = 0;
        std::uint64_t setB = 0;
        std::uint64_t centres = 0;
        WantedOfSide a{};
        WantedOfSide b{};
    };

    void command(const Command& command, const JobContext& job);
    std::uint64_t numberOf(MatrixView rows) const;
    /// This rank's share of a set.
    const EmbeddingSet& shareOf(MatrixView rows) const { return *sets_[numberOf(rows)]; }
    void execute(const Command& command, const JobContext& job) const;

    const Communicator& communicator_;
    Ring ring_;
    Sets sets_;
    Sets whole_;
    bool inPass_ = false;
};

} // namespace assay
