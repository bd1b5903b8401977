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

/// Finds the splits whose limit is at least a given distance; there is one limit per split.
class SplitLimits {
public:
    SplitLimits() = default;
    explicit SplitLimits(const std::array<double, kSplits>& limits);

    /// Splits whose limit is at least `distance`.
    Splits atLeast(double distance) const noexcept;
    double smallest() const noexcept { return sorted_.front().first; }
    double largest() const noexcept { return sorted_.back().first; }

private:
    /// Limits in ascending order, each with the set of splits whose limit is not smaller.
    std::array<std::pair<double, Splits>, kSplits> sorted_{};
};

/// Balls of a set's rows in random halves of the set, for every split. A ball reaches from its row to the row's k-th
/// neighbour in the same half, and is clipped at the median radius of that half. If the row's list contains fewer than
/// k rows of the half, the radius is the distance to the end of the list. This is below the true radius, but clipping
/// hides the difference except in dense places.
class SplitBalls {
public:
    /// @param table neighbours of the rows within their own set; kept by reference
    /// @param halves one per row; kept by reference
    /// @param threads 0: all cores
    /// @throws Cancelled
    SplitBalls(const NeighborTable& table, std::size_t k, const std::vector<RowHalves>& halves, unsigned threads,
               const JobContext& job);

    /// Splits in which the row's unclipped ball reaches its listed neighbour of `rank`, counted from 0 among all rows;
    /// none if `rank` is the length of the list. O(1).
    Splits reaching(std::size_t row, std::size_t rank) const noexcept {
        if (rank < k_)
            return halves_[row].either;
        const Block& block = blocks_[row / kRowsPerBlock];
        const std::size_t at = block.first[row % kRowsPerBlock] + (rank - k_);
        return at < block.first[row % kRowsPerBlock + 1] ? block.reaching[at] : Splits{0};
    }

    /// Splits in which the clip radius of the row's half is at least `distance`.
    Splits withinClip(std::size_t row, double distance) const noexcept {
        if (distance <= smallestClip_)
            return halves_[row].either;
        return (halves_[row].in(0) & clips_[0].atLeast(distance)) | (halves_[row].in(1) & clips_[1].atLeast(distance));
    }

    /// Splits in which the row's clipped ball contains a point at `distance`.
    Splits clippedReaching(std::size_t row, double distance) const noexcept;

    /// Largest clip radius over both halves and all splits.
    double largestClip() const noexcept { return std::max(clips_[0].largest(), clips_[1].largest()); }

private:
    static constexpr std::size_t kRowsPerBlock = 256;

    /// Per row of a block: the splits whose ball reaches the neighbours of rank k, k + 1, .., up to the last rank with
    /// any.
    struct Block {
        std::vector<std::uint32_t> first;
        std::vector<Splits> reaching;
    };

    /// Radius of a row's unclipped ball: the smallest over all splits, and the largest.
    struct Reach {
        double all, any;
    };

    /// Adds a row to its block, and calls note(radius, splits) for each of its radii.
    template <typename Note>
    void addRow(std::size_t row, Block& block, const Note& note);

    const NeighborTable& table_;
    std::size_t k_;
    const std::vector<RowHalves>& halves_;
    std::vector<Block> blocks_;
    std::vector<Reach> reach_;
    std::array<SplitLimits, 2> clips_; ///< clip radii per half
    double smallestClip_ = 0.0;
};

} // namespace assay
