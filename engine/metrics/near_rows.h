#pragma once

#include "engine/metrics/top_support.h"
#include "engine/stats/point_distances.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace assay {

constexpr std::size_t kNearRowsPerTask = 64;

/// Query rows that one task looks at.
struct NearTask {
    std::size_t firstQuery, lastQuery;
};

inline std::size_t tasksFor(std::size_t queries) {
    return (queries + kNearRowsPerTask - 1) / kNearRowsPerTask;
}

inline NearTask nearTask(std::size_t task, std::size_t queries) {
    return {task * kNearRowsPerTask, std::min(queries, (task + 1) * kNearRowsPerTask)};
}

/// Calls take(query row, place among those measured together, what was found near it) for a task's query rows and one
/// block of `base` after the other, from the one that holds row `from(query row)` on.
template <typename From, typename Take, typename Done>
void forNear(const NearTask& range, float limit, const TopSupport& queries, const PointDistances& base, From from,
             Take take, Done done) {
    std::array<PointDistances::Found, PointDistances::kQueries> found; // NOLINT(cppcoreguidelines-init-variables)
    for (std::size_t first = range.firstQuery; first < range.lastQuery; first += PointDistances::kQueries) {
        std::array<const float*, PointDistances::kQueries> rows; // NOLINT(cppcoreguidelines-init-variables)
        const std::size_t count = std::min(PointDistances::kQueries, range.lastQuery - first);
        for (std::size_t q = 0; q < PointDistances::kQueries; ++q)
            rows[q] = queries.points.data() + (first + std::min(q, count - 1)) * queries.dim;
        const PointDistances::Queries looked = base.queries(rows, limit);
        for (std::size_t block = from(first) / PointDistances::kBlock; block < base.blocks(); ++block) {
            base.near(looked, block, found);
            for (std::size_t q = 0; q < count; ++q)
                take(first + q, q, found[q]);
        }
        for (std::size_t q = 0; q < count; ++q)
            done(first + q, q);
    }
}

inline std::size_t theFirst(std::size_t) {
    return 0;
}

inline std::size_t itself(std::size_t row) {
    return row;
}

inline void nothing(std::size_t, std::size_t) {}

/// Some rows and their squared distances from one row.
struct NearRows {
    const std::uint32_t* row;
    const float* squared;
    std::size_t count;
};

/// The rows behind row i among those found near it.
inline NearRows later(std::size_t i, const PointDistances::Found& found) {
    std::size_t skipped = 0;
    if (found.count > 0 && found.row[0] <= i)
        skipped = static_cast<std::size_t>(
            std::upper_bound(found.row.begin(), found.row.begin() + found.count, static_cast<std::uint32_t>(i)) -
            found.row.begin());
    return {found.row.data() + skipped, found.squared.data() + skipped, found.count - skipped};
}

} // namespace assay
