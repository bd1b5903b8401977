#pragma once

#include "engine/base/large_array.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/products/product_bounds.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace assay {

/// Collects, for every query, all base rows that its bounds cannot exclude from the k nearest, in bounded memory.
///
/// A candidate enters when its bounds admit it under the query's limit: an upper bound on the k-th smallest scaled
/// squared distance so far. A full list is compacted by tightening the limit; where bounds alone leave too many (ties,
/// duplicates, coarse integers), they have to be measured (CandidateMeasurement). Queries may be served by different
/// threads as long as each query has one at a time.
class CandidateLists {
public:
    /// @param k 0 for a side that wants no neighbours: its limits are minus infinity
    /// @param capacity entries per list: memory against the work of compacting; raised or lowered to what is possible
    CandidateLists(const SearchSide& side, std::size_t k, std::size_t capacity);

    /// The fewest entries of a list: with little beyond k it would be full again after a handful of candidates.
    static constexpr std::size_t shortest(std::size_t k) noexcept { return k + std::max<std::size_t>(64, k / 4); }

    std::size_t k() const noexcept { return k_; }
    std::size_t queries() const noexcept { return limit_.size(); }

    /// Upper bound on the k-th smallest scaled squared distance. +infinity until k are known.
    float limit(std::size_t query) const noexcept { return limit_[query]; }
    void lower(std::size_t query, float limit) { limit_[query] = limit < limit_[query] ? limit : limit_[query]; }

    /// Keeps every candidate of this query up to this scaled squared distance, too, whatever its limit becomes. Minus
    /// infinity, as at the beginning, for none.
    void setKept(std::size_t query, float distance) { kept_[query] = distance; }
    bool keepsBeyondLimit(std::size_t query) const noexcept {
        return kept_[query] > -std::numeric_limits<float>::infinity();
    }

    /// The scaled squared distance up to which candidates of this query are collected.
    float admitted(std::size_t query) const noexcept { return std::max(limit_[query], kept_[query]); }
    PruningLimit pruningLimit(std::size_t query) const {
        return PruningLimit::of(admitted(query), side_.queryOperand->bounds(query));
    }

    /// Lowers the limit by the estimates of some rows of the base: at least `rank` of them are known to be no further
    /// away. Candidates that could never stay are then not collected in the first place.
    /// @param rows of `sample`, one per estimate; empty for all of them in their order
    /// @param rank k, or k + 1 where the query itself may be among them; at most estimates.size()
    void lowerBySample(std::size_t query, std::span<const float> estimates, std::span<const std::uint32_t> rows,
                       const ProductOperand& sample, std::size_t rank);

    /// Adds a candidate that the pruning limit admits. @return whether the list is full: compact it then
    bool add(std::size_t query, Candidate candidate) {
        items_[query * capacity_ + count_[query]++] = candidate;
        return count_[query] == capacity_;
    }
    /// Adds hits from number `from` on, base row `first` + column each, until the list is full.
    /// @return how many were added
    std::size_t add(std::size_t query, const TileHits& hits, std::size_t from, std::size_t first);
    bool isFull(std::size_t query) const noexcept { return count_[query] == capacity_; }

    /// Drops what bounds exclude from a full list. @return whether that freed a good part of it
    bool compact(std::size_t query);

    /// Lowers the limit by what is listed and drops what it excludes. @return how many candidates stay
    std::size_t tighten(std::size_t query);

    /// Lowers the limit by what is listed and drops most of what it excludes.
    /// @return an estimate that at least k of the listed ones are at most, infinity for fewer than k
    float tightenLimit(std::size_t query);

    /// A query's candidates, valid until one is added.
    std::span<Candidate> list(std::size_t query) noexcept { return {items_.get() + query * capacity_, count_[query]}; }
    /// Keeps the first of them only.
    void truncate(std::size_t query, std::size_t count) { count_[query] = static_cast<std::uint32_t>(count); }

private:
    void dropExcluded(std::size_t query);

    SearchSide side_;
    std::size_t k_;
    std::size_t capacity_;
    LargeArray<Candidate> items_; ///< queries x capacity, the first count_[query] of each row in use
    std::vector<std::uint32_t> count_;
    std::vector<float> limit_;
    std::vector<float> kept_;
};

} // namespace assay
