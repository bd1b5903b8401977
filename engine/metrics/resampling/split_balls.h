#pragma once

#include "engine/base/job_context.h"
#include "engine/metrics/resampling/split_bits.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace assay {

/// Which splits' limits are so far out, of one limit per split.
class SplitLimits {
public:
    SplitLimits() = default;
    explicit SplitLimits(const std::array<double, kSplits>& limits);

    Splits atLeast(double distance) const noexcept;
    double smallest() const noexcept { return sorted_.front().first; }
    double largest() const noexcept { return sorted_.back().first; }

private:
    /// Ascending, each with the splits whose limits are no smaller.
    std::array<std::pair<double, Splits>, kSplits> sorted_{};
};

/// The balls of a set's rows in random halves of the set, of every split: around each row to its k-th neighbour in its
/// own half, clipped at the median radius of that half. Where a row's list ends before, the ball reaches to its end:
/// below the true distance, which is clipped in all but dense places anyway.
class SplitBalls {
public:
    /// @param table the rows' neighbours among themselves; kept by reference like the halves
    /// @throws Cancelled
    SplitBalls(const NeighborTable& table, std::size_t k, const std::vector<RowHalves>& halves, unsigned threads,
               const JobContext& job);

    /// Splits in which the row's ball, not clipped, reaches as far as the row's neighbour `rank` of all is away; none
    /// where rank is the end of the list. O(1).
    Splits reaching(std::size_t row, std::size_t rank) const noexcept {
        if (rank < k_)
            return halves_[row].either;
        const Block& block = blocks_[row / kRowsPerBlock];
        const std::size_t at = block.first[row % kRowsPerBlock] + (rank - k_);
        return at < block.first[row % kRowsPerBlock + 1] ? block.reaching[at] : Splits{0};
    }

    /// Splits in which what is so far from the row is not clipped off its ball.
    Splits withinClip(std::size_t row, double distance) const noexcept {
        if (distance <= smallestClip_)
            return halves_[row].either;
        return (halves_[row].in(0) & clips_[0].atLeast(distance)) | (halves_[row].in(1) & clips_[1].atLeast(distance));
    }

    /// Splits in which the row's clipped ball holds what is so far away.
    Splits clippedReaching(std::size_t row, double distance) const noexcept;

    double largestClip() const noexcept { return std::max(clips_[0].largest(), clips_[1].largest()); }

private:
    static constexpr std::size_t kRowsPerBlock = 256;

    /// For each row, the splits that reach its neighbours from rank k on, as long as there are any.
    struct Block {
        std::vector<std::uint32_t> first;
        std::vector<Splits> reaching;
    };

    /// How far a row's ball reaches in every split, and in the one where it is largest.
    struct Reach {
        double all, any;
    };

    /// Adds a row to its block; calls note(radius, splits) for its radii.
    template <typename Note>
    void addRow(std::size_t row, Block& block, const Note& note);

    const NeighborTable& table_;
    std::size_t k_;
    const std::vector<RowHalves>& halves_;
    std::vector<Block> blocks_;
    std::vector<Reach> reach_;
    std::array<SplitLimits, 2> clips_; ///< per half
    double smallestClip_ = 0.0;
};

} // namespace assay
