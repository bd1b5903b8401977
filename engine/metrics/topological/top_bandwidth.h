#pragma once

#include "engine/base/job_context.h"
#include "engine/metrics/topological/point_distances.h"
#include "engine/metrics/topological/top_support.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Number of query rows per task: tasks are ranges of parallelRanges().
constexpr std::size_t kNearRowsPerTask = 64;

/// View of rows that are near one query row, with their squared distances.
struct NearRows {
    const std::uint32_t* row;
    const float* squared;
    std::size_t count;
};

/// Rows near each query of a task. Each worker reuses one object, so that memory grown for one task serves the next.
using NearLists = std::array<PointDistances::Found, kNearRowsPerTask>;

/// Which rows of the base a search returns for a query.
enum class Wanted { All, Later }; ///< Later: queries and base are one set; rows with an index above the query's

/// A search for rows of `base` within the squared distance `limit` of rows of `queries`.
struct NearSearch {
    const TopSupport& queries;
    const PointDistances& base;
    float limit;
    Wanted wanted;
};

/// Finds the wanted rows of the base near each query row of [firstQuery, lastQuery), at most kNearRowsPerTask, and
/// calls found(query row, near rows). All queries of the task scan a block while it is in the cache.
template <typename Take>
void forNear(const NearSearch& search, std::size_t firstQuery, std::size_t lastQuery, NearLists& lists, Take found) {
    const TopSupport& queries = search.queries;
    const PointDistances& base = search.base;
    constexpr std::size_t kAtOnce = PointDistances::kQueries;
    std::vector<PointDistances::Queries> looked;
    looked.reserve(kNearRowsPerTask / kAtOnce);
    for (std::size_t first = firstQuery; first < lastQuery; first += kAtOnce) {
        PointDistances::Queries& group = looked.emplace_back();
        group.limit = search.limit;
        for (std::size_t q = 0; q < kAtOnce; ++q)
            group.points[q] = queries.points.data() + std::min(first + q, lastQuery - 1) * queries.dim;
    }
    for (PointDistances::Found& list : lists)
        list.count = 0;
    const std::size_t firstBlock = search.wanted == Wanted::All ? 0 : firstQuery / PointDistances::kBlock;
    for (std::size_t block = firstBlock; block < base.blocks(); ++block)
        for (std::size_t group = 0; group < looked.size(); ++group)
            base.near(looked[group], block,
                      std::span<PointDistances::Found, kAtOnce>(lists.data() + group * kAtOnce, kAtOnce));
    for (std::size_t query = firstQuery; query < lastQuery; ++query) {
        const PointDistances::Found& list = lists[query - firstQuery];
        const std::uint32_t* end = list.row.data() + list.count;
        const std::uint32_t* begin = search.wanted == Wanted::All
                                         ? list.row.data()
                                         : std::upper_bound(list.row.data(), end, static_cast<std::uint32_t>(query));
        const auto skipped = static_cast<std::size_t>(begin - list.row.data());
        found(query, NearRows{begin, list.squared.data() + skipped, list.count - skipped});
    }
}

/// Pairs (i, j) of near rows of a set with i < j. The bandwidth search stores them because the density sums over the
/// same pairs again.
struct LaterPairs {
    /// Pairs of one task's rows i, concatenated in the order of i.
    struct Part {
        std::vector<std::uint32_t> row;
        std::vector<float> squared;
        std::vector<std::size_t> end; ///< per row i of the task: end of its pairs
    };
    std::vector<Part> parts;
    float limit = -1.0F;   ///< squared distance up to which pairs are stored
    bool complete = false; ///< whether all pairs up to `limit` are stored
};

/// Limit on stored pairs, per row and per neighbour that the bandwidth needs. Sets of about even density stay below it.
constexpr std::size_t kPairsKept = 4;

/// Balloon estimate of the kernel bandwidth: the median over rows of the squared distance to the k-th nearest later
/// row, k = options.neighborsPerDim * dimensions. A later row of row i is a row with an index greater than i.
struct Bandwidth {
    float squared; ///< squared bandwidth; NaN for too few rows, or if squares overflow float32
    LaterPairs kept;
};

/// @param support rows, dim and points are read
/// @param points the same points, prepared for distance searches
/// @param threads 0: all cores
/// @throws Cancelled, std::bad_alloc
Bandwidth findBandwidth(const TopSupport& support, const PointDistances& points, const TopOptions& options,
                        unsigned threads, const JobContext& job);

} // namespace assay
