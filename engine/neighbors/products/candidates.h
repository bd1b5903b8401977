#pragma once

#include "engine/base/job_context.h"
#include "engine/base/large_array.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/products/ball_counter.h"
#include "engine/neighbors/products/product_bounds.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace assay {

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
    const ProductOperand* queryOperand;
    const ProductOperand* baseOperand;
    double scale = 1.0;           ///< of the frame
    std::uint32_t firstIndex = 0; ///< number of the base's first row: the base may be a block of a larger set
};

/// Stands for a neighbour that is not known yet, at an infinite distance.
inline constexpr std::uint32_t kNoNeighbor = ~std::uint32_t{0};

/// A table of queries x k that knows no neighbour yet.
NeighborTable noNeighbors(std::size_t queries, std::size_t k);

/// Collects, for every query, all base rows that its bounds cannot exclude from the k nearest, in bounded memory.
///
/// A proposal enters when its bounds admit it under the query's limit: an upper bound on the k-th smallest scaled
/// squared distance so far. A full list is compacted by tightening the limit; where bounds alone leave too many (ties,
/// duplicates, coarse integers), its entries are measured and only the k nearest stay. What is left at the end is
/// measured directly: the answer is exact. Queries may be served by different threads as long as each query has one at
/// a time.
class CandidateLists {
public:
    /// @param k 0 for a side that wants no neighbours: its limits are minus infinity
    /// @param capacity entries per list: memory against the work of compacting; raised or lowered to what is possible
    CandidateLists(const SearchSide& side, std::size_t k, std::size_t capacity);

    /// Begins with neighbours that are known from other rows than the base's, so that only nearer ones are proposed.
    /// @param known queries x k, ascending; kNoNeighbor where there are fewer
    void start(NeighborTable known);

    /// From now on every proposal within its query's ball is kept until it is measured, and the ball is decided then:
    /// most of them are measured as neighbours anyway. Call before anything is added; the counter has to outlive this.
    void decideBalls(BallCounter& balls);
    /// The ball of this query is left to the caller, who has to show every pair to the counter.
    void leaveBall(std::size_t query) { ball_[query] = -std::numeric_limits<float>::infinity(); }
    bool decidesBall(std::size_t query) const noexcept {
        return ball_[query] > -std::numeric_limits<float>::infinity();
    }

    /// Upper bound on the k-th smallest scaled squared distance. +infinity until k are known.
    float limit(std::size_t query) const noexcept { return limit_[query]; }
    /// The scaled squared distance up to which proposals of this query are wanted.
    float admitted(std::size_t query) const noexcept { return std::max(limit_[query], ball_[query]); }
    /// What admits a proposal for this query.
    Gate gate(std::size_t query) const { return Gate::of(admitted(query), side_.queryOperand->bounds(query)); }

    /// Lowers the limit by the estimates of some rows of the base: at least `rank` of them are known to be no further
    /// away. Proposals that could never stay are then not collected in the first place.
    /// @param rows of `sample`, one per estimate; empty for all of them in their order
    /// @param rank k, or k + 1 where the query itself may be among them; at most estimates.size()
    void prime(std::size_t query, std::span<const float> estimates, std::span<const std::uint32_t> rows,
               const ProductOperand& sample, std::size_t rank);

    /// Adds a proposal that the gate admits. @return whether the limit has changed
    bool add(std::size_t query, float estimate, std::uint32_t index, const JobContext& job) {
        Candidate* list = items_.get() + query * capacity_;
        list[count_[query]++] = {estimate, index};
        if (count_[query] < capacity_)
            return false;
        compact(query, job);
        return true;
    }

    /// Adds proposals base row `first` + column. @return whether the limit has changed
    bool add(std::size_t query, const TileHits& hits, std::size_t first, const JobContext& job);

    /// Lowers the limit by what is listed and drops what it excludes. @return how many proposals stay
    std::size_t tighten(std::size_t query);

    /// Measures what is left of one query: its row of the table is then final. @return how many rows were measured
    std::size_t settle(std::size_t query, const JobContext& job);

    /// Settling in steps, for a caller who takes the base part by part so that each part stays in the cache:
    /// chooseLowest, measureChosen up to the end of each part, chooseDoubtful, and the same again.
    /// Chooses the k lowest estimates: what they measure excludes most of the others. @return how many were chosen
    std::size_t chooseLowest(std::size_t query);
    /// Chooses what the measured ones do not exclude. @return how many were chosen
    std::size_t chooseDoubtful(std::size_t query);
    /// Asks for a query's list, which was last touched long ago.
    void prefetch(std::size_t query) const noexcept {
        constexpr std::size_t kPerLine = 64 / sizeof(Candidate);
        const Candidate* list = items_.get() + query * capacity_;
        for (std::size_t c = 0; c < count_[query]; c += kPerLine)
            __builtin_prefetch(list + c);
    }
    /// Measures the chosen ones among the base's rows before `endRow` that are not measured yet.
    void measureChosen(std::size_t query, std::size_t endRow, const JobContext& job);

    /// The k nearest of every settled query.
    NeighborTable takeTable() { return std::move(table_); }

    std::size_t k() const noexcept { return table_.k; }
    std::size_t queries() const noexcept { return limit_.size(); }

private:
    class Nearest;
    class Furthest;

    void lower(std::size_t query, float limit) { limit_[query] = limit < limit_[query] ? limit : limit_[query]; }
    void lowerToMeasured(std::size_t query);
    /// @return an estimate that at least k of the listed ones are at most, infinity for fewer than k
    float tightenLimit(std::size_t query);
    void dropExcluded(std::size_t query);
    void compact(std::size_t query, const JobContext& job);
    std::size_t choose(std::size_t query, std::size_t number);

    SearchSide side_;
    std::size_t capacity_;
    LargeArray<Candidate> items_; ///< queries x capacity, the first count_[query] of each row in use
    std::vector<std::uint32_t> count_;
    std::vector<float> limit_;
    std::vector<float> ball_; ///< the ball's limit where the ball is decided here, else minus infinity
    BallCounter* balls_ = nullptr;
    NeighborTable table_;                 ///< the nearest measured so far, ascending
    std::vector<std::uint32_t> measured_; ///< per query: how many of its row are
    std::vector<std::uint32_t> chosen_;   ///< per query: entries at the front of its list that are to be measured
    std::vector<std::uint32_t> next_;     ///< per query: the first of them that is not measured yet
};

} // namespace assay
