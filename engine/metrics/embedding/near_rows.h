#pragma once

#include "engine/math/products/point_distances.h"
#include "engine/metrics/embedding/top_support.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Number of query rows per task.
constexpr std::size_t kNearRowsPerTask = 64;

/// Range of query rows of one task: [firstQuery, lastQuery).
struct NearTask {
    std::size_t firstQuery, lastQuery;
};

inline std::size_t tasksFor(std::size_t queries) {
    return (queries + kNearRowsPerTask - 1) / kNearRowsPerTask;
}

inline NearTask nearTask(std::size_t task, std::size_t queries) {
    return {task * kNearRowsPerTask, std::min(queries, (task + 1) * kNearRowsPerTask)};
}

/// View of rows that are near one query row, with their squared distances.
struct NearRows {
    const std::uint32_t* row;
    const float* squared;
    std::size_t count;
};

/// Rows near each query of a task. Each worker reuses one object, so that memory grown for one task serves the next.
using NearLists = std::array<PointDistances::Found, kNearRowsPerTask>;

/// What is looked for: rows of `base` within the squared distance `limit` of rows of `queries`.
struct NearSearch {
    const TopSupport& queries;
    const PointDistances& base;
    float limit;
};

/// Finds the rows of `base` within squared distance `limit` of each query row of a task, and calls found(query row,
/// near rows). The search starts with the block of `base` that contains row `from(first query row)`. All queries of the
/// task scan a block while it is in the cache.
template <typename From, typename Take>
void forNear(const NearSearch& search, const NearTask& range, From from, NearLists& lists, Take found) {
    const TopSupport& queries = search.queries;
    const PointDistances& base = search.base;
    constexpr std::size_t kAtOnce = PointDistances::kQueries;
    std::vector<PointDistances::Queries> looked;
    looked.reserve(kNearRowsPerTask / kAtOnce);
    for (std::size_t first = range.firstQuery; first < range.lastQuery; first += kAtOnce) {
        std::array<const float*, kAtOnce> rows; // NOLINT(cppcoreguidelines-init-variables)
        for (std::size_t q = 0; q < kAtOnce; ++q)
            rows[q] = queries.points.data() + std::min(first + q, range.lastQuery - 1) * queries.dim;
        looked.push_back(base.queries(rows, search.limit));
    }
    for (PointDistances::Found& list : lists)
        list.count = 0;
    for (std::size_t block = from(range.firstQuery) / PointDistances::kBlock; block < base.blocks(); ++block)
        for (std::size_t group = 0; group < looked.size(); ++group)
            base.near(looked[group], block,
                      std::span<PointDistances::Found, kAtOnce>(lists.data() + group * kAtOnce, kAtOnce));
    for (std::size_t query = range.firstQuery; query < range.lastQuery; ++query) {
        const PointDistances::Found& list = lists[query - range.firstQuery];
        found(query, NearRows{list.row.data(), list.squared.data(), list.count});
    }
}

/// Search start for forNear(): the first row of the base.
inline std::size_t fromFirstRow(std::size_t) {
    return 0;
}

/// Search start for forNear(): the query row itself, when queries and base are the same set.
inline std::size_t itself(std::size_t row) {
    return row;
}

/// The near rows whose index is greater than i. Precondition: `found` is ascending by row.
inline NearRows later(std::size_t i, const NearRows& found) {
    const std::uint32_t* end = found.row + found.count;
    const auto skipped =
        static_cast<std::size_t>(std::upper_bound(found.row, end, static_cast<std::uint32_t>(i)) - found.row);
    return {found.row + skipped, found.squared + skipped, found.count - skipped};
}

} // namespace assay
