#pragma once

#include "engine/metrics/top_support.h"
#include "engine/stats/point_distances.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

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

/// Calls take(query row, its place in the task, what was found near it) for a task's query rows and one block of `base`
/// after the other, from the one that holds row `from(query row)` on; all query rows look at a block while it is in
/// cache. In the end done(query row, its place) for each.
template <typename From, typename Take, typename Done>
void forNear(const NearTask& range, float limit, const TopSupport& queries, const PointDistances& base, From from,
             Take take, Done done) {
    constexpr std::size_t kAtOnce = PointDistances::kQueries;
    std::vector<PointDistances::Queries> looked;
    looked.reserve(kNearRowsPerTask / kAtOnce);
    for (std::size_t first = range.firstQuery; first < range.lastQuery; first += kAtOnce) {
        std::array<const float*, kAtOnce> rows; // NOLINT(cppcoreguidelines-init-variables)
        for (std::size_t q = 0; q < kAtOnce; ++q)
            rows[q] = queries.points.data() + std::min(first + q, range.lastQuery - 1) * queries.dim;
        looked.push_back(base.queries(rows, limit));
    }
    std::array<PointDistances::Found, kAtOnce> found; // NOLINT(cppcoreguidelines-init-variables)
    const std::size_t count = range.lastQuery - range.firstQuery;
    for (std::size_t block = from(range.firstQuery) / PointDistances::kBlock; block < base.blocks(); ++block)
        for (std::size_t group = 0; group < looked.size(); ++group) {
            base.near(looked[group], block, found);
            for (std::size_t place = group * kAtOnce; place < std::min(count, (group + 1) * kAtOnce); ++place)
                take(range.firstQuery + place, place, found[place % kAtOnce]);
        }
    for (std::size_t place = 0; place < count; ++place)
        done(range.firstQuery + place, place);
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

/// What is found near each row of a task, as long lists: block by block it comes in short ones. One per worker, because
/// what grew for one task serves the next.
class NearLists {
public:
    void add(std::size_t place, const NearRows& found) {
        List& list = lists_[place];
        list.row.insert(list.row.end(), found.row, found.row + found.count);
        list.squared.insert(list.squared.end(), found.squared, found.squared + found.count);
    }
    NearRows of(std::size_t place) const {
        const List& list = lists_[place];
        return {list.row.data(), list.squared.data(), list.row.size()};
    }
    void clear(std::size_t place) {
        lists_[place].row.clear();
        lists_[place].squared.clear();
    }

private:
    struct List {
        std::vector<std::uint32_t> row;
        std::vector<float> squared;
    };
    std::array<List, kNearRowsPerTask> lists_;
};

} // namespace assay
