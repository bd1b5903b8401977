#pragma once

#include "engine/base/job_context.h"
#include "engine/base/large_array.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/products/product_bounds.h"
#include "engine/neighbors/products/subspace_projection.h"
#include "engine/neighbors/search/result_collectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
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

/// Measures the candidates that bounds cannot exclude: those with the k lowest estimates first, which exclude most of
/// the others. Where the list of a query keeps all rows of its ball, these are counted, too.
class CandidateMeasurement {
public:
    /// @param balls around the queries; all of them outlive this
    CandidateMeasurement(const SearchSide& side, CandidateLists& lists, NearestMeasured& nearest, BallCounter& balls);

    /// Lowers the query's limit to the k-th nearest row measured, where there are k.
    void lowerLimit(std::size_t query);

    /// Measures what is left of one query and empties its list. @return how many rows were measured
    std::size_t measure(std::size_t query, const JobContext& job);

    /// The same in steps, for a caller who takes the base part by part so that each part stays in the cache:
    /// chooseLowest, measureChosen up to the end of each part, chooseDoubtful, and the same again.
    /// Chooses the candidates with the k lowest estimates. @return how many were chosen
    std::size_t chooseLowest(std::size_t query);
    /// Chooses what the measured ones do not exclude. @return how many were chosen
    std::size_t chooseDoubtful(std::size_t query);
    /// Measures the chosen ones among the base's rows before `endRow` that are not measured yet.
    void measureChosen(std::size_t query, std::size_t endRow, const JobContext& job);

    /// Loads a query's list, which was last used long ago, into the cache.
    void prefetch(std::size_t query) const noexcept;

private:
    std::size_t choose(std::size_t query, std::size_t number);

    SearchSide side_;
    CandidateLists& lists_;
    NearestMeasured& nearest_;
    BallCounter& balls_;
    std::vector<std::uint32_t> chosen_; ///< per query: entries at the front of its list that are to be measured
    std::vector<std::uint32_t> next_;   ///< per query: the first of them that is not measured yet
};

/// One set's half of a pass over all pairs: its neighbours in the other set and its balls.
class PassSide {
public:
    /// @param side the rows of `search`, with the neighbours and balls that are wanted
    /// @param projection through which pairs are looked at first; none where they are not
    PassSide(const SearchSide& search, const SideQuery& side, std::size_t capacity,
             std::optional<Shortcut> projection = std::nullopt);

    const ProductOperand& operand() const noexcept { return *operand_; }
    const float* reach() const noexcept { return reach_.data(); }
    const float* level() const noexcept { return level_.data(); }

    /// None where pairs are not looked at through a projection.
    const std::optional<Shortcut>& shortcut() const noexcept { return shortcut_; }
    const float* nearReach() const noexcept { return nearReach_.data(); }
    const float* nearLevel() const noexcept { return nearLevel_.data(); }

    /// Begins with neighbours that are known from other rows (NearestMeasured::start), so that only nearer ones are
    /// collected.
    void start(NeighborTable known);

    /// Lowers every row's limit by evenly spaced rows of the other set, before anything is collected.
    /// @param self whether the other set is this one
    void lowerLimitsBySample(bool self, unsigned threads, const JobContext& job);

    /// Takes in a pair that the row's limits admit: row of this set, row of the other set.
    void take(std::size_t row, std::size_t other, float estimate, const JobContext& job) {
        if (countsBallsImmediately(row)) {
            takeBoth(row, other, estimate, job);
            return;
        }
        if (lists.add(row, {estimate, static_cast<std::uint32_t>(other)}))
            compact(row, job);
    }

    /// Takes in pairs of one row with the other set's rows `first` + column.
    void take(std::size_t row, const TileHits& hits, std::size_t first, const JobContext& job);

    /// Measures what is left, of all rows; nearest holds the final table afterwards.
    void settle(unsigned threads, const JobContext& job);

    CandidateLists lists;
    BallCounter balls;
    NearestMeasured nearest;
    CandidateMeasurement measurement;

private:
    void lowerLimitsDirectly(std::size_t rank, unsigned threads, const JobContext& job);
    void lowerLimitsThroughProjection(std::size_t rank, unsigned threads, const JobContext& job);
    /// Whether a pair of this row has to be shown to the ball counter as it comes; elsewhere the list decides.
    bool countsBallsImmediately(std::size_t row) const noexcept { return balls.any() && !lists.keepsBeyondLimit(row); }
    void takeBoth(std::size_t row, std::size_t other, float estimate, const JobContext& job);
    void compact(std::size_t row, const JobContext& job);
    void onLimitLowered(std::size_t row);
    void refresh(std::size_t row);

    SearchSide search_;
    const ProductOperand* operand_;
    const ProductOperand* other_;
    LineVector<float> reach_, level_; ///< of the larger of both limits
    /// Scaled squared distance up to which a row's ball reaches, minus infinity for none; only where there are balls.
    std::vector<float> ballDistance_;
    std::vector<PruningLimit> ballLimit_; ///< likewise
    std::optional<Shortcut> shortcut_;
    LineVector<float> nearReach_, nearLevel_; ///< the same limits on projected rows
};

/// Runs all tiles of a pass. With `y` the same object as `x` every pair of different rows is computed once and serves
/// both of them.
void runTiles(PassSide& x, PassSide& y, unsigned threads, const JobContext& job);

} // namespace assay
