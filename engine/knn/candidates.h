#pragma once

#include "engine/data/matrix_view.h"
#include "engine/knn/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace assay {

/// One proposed neighbour: a lower bound on its squared distance in scaled units (engine/knn/product_bounds.h).
struct Candidate {
    float low;
    std::uint32_t index;
};

/// A measured neighbour.
struct Measured {
    double distance;
    std::uint32_t index;

    friend bool operator<(const Measured& a, const Measured& b) noexcept {
        return a.distance < b.distance || (a.distance == b.distance && a.index < b.index);
    }
};

/// Euclidean distance by definition: the root of the double-precision direct sum over the stored rows.
double directDistance(MatrixView a, std::size_t rowA, MatrixView b, std::size_t rowB);

/// What one side of a pass searches in.
struct SearchSide {
    MatrixView queries; ///< stored rows
    MatrixView base;    ///< stored rows
    std::span<const float> querySlack;
    std::span<const float> baseSlack;
    double scale = 1.0; ///< of the frame
};

/// Collects, for every query, all base rows that its bounds cannot exclude from the k nearest, in bounded memory.
///
/// A proposal enters when its lower bound is at most the query's limit: an upper bound on the k-th smallest distance so
/// far. A full buffer is compacted by tightening the limit; where bounds alone leave too many (ties, duplicates), its
/// entries are measured and only the k nearest stay. What is left at the end is measured directly: the answer is exact.
/// Queries may be served by different threads as long as each query has one at a time.
class CandidateLists {
public:
    /// @param k 0 for a side that wants no neighbours: its limits are minus infinity
    CandidateLists(const SearchSide& side, std::size_t k);

    /// Upper bound that a proposal for this query has to stay under. +infinity until k are known.
    float limit(std::size_t query) const noexcept { return limit_[query]; }

    /// Adds a proposal with low <= limit(query). @return whether the limit has changed
    bool add(std::size_t query, float low, std::uint32_t index) {
        Candidate* list = items_.get() + query * capacity_;
        list[count_[query]++] = {low, index};
        if (count_[query] < capacity_)
            return false;
        compact(query);
        return true;
    }

    /// Measures what is left of one query and writes its k nearest into row `query` of the table.
    void finish(std::size_t query, NeighborTable& table);

    std::size_t k() const noexcept { return k_; }

private:
    void tightenLimit(std::size_t query);
    void compact(std::size_t query);
    void measureAndKeepNearest(std::size_t query);
    std::vector<Measured> nearestOf(std::size_t query) const;

    SearchSide side_;
    std::size_t k_;
    std::size_t capacity_;
    std::unique_ptr<Candidate[]> items_; ///< queries x capacity, the first count_[query] of each row in use
    std::vector<std::uint32_t> count_;
    std::vector<float> limit_;
};

} // namespace assay
