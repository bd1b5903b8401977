#include "engine/metrics/topological/top_bandwidth.h"

#include "engine/base/parallel.h"
#include "engine/neighbors/tree/leaf_kernels.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace assay {
namespace {

constexpr std::size_t kQueries = PointDistances::kQueries;

/// The n-th smallest value, n counted from 0. The values must be non-negative and are overwritten.
float nthSmallest(std::vector<float>& values, std::size_t n) {
    constexpr std::size_t kLanes = 16; // whole vectors may be written
    const std::size_t count = values.size();
    values.resize((count + kLanes - 1) / kLanes * kLanes);
    return leafKernels().smallest(values.data(), count, n + 1);
}

/// Estimates from a sample a squared distance within which about three fifths of the rows have their k-th nearest later
/// row.
float guessedReach(const TopSupport& support, const PointDistances& points, std::size_t k, unsigned threads,
                   const JobContext& job) {
    constexpr std::size_t kGroups = 32;
    const std::size_t usable = support.rows - k;
    const std::size_t groups = std::min(kGroups, usable);
    std::vector<std::vector<float>> reach(groups);
    std::vector<NearLists> lists(resolveThreads(threads));
    parallelFor(groups, threads, job, [&](std::size_t g, unsigned worker) {
        const std::size_t first = g * usable / groups;
        std::vector<float> squared;
        forNear({support, points, std::numeric_limits<float>::infinity(), Wanted::Later}, first,
                std::min(usable, first + kQueries), lists[worker], [&](std::size_t, const NearRows& rows) {
                    squared.assign(rows.squared, rows.squared + rows.count);
                    reach[g].push_back(nthSmallest(squared, k - 1));
                });
    });
    std::vector<float> all;
    for (const std::vector<float>& some : reach)
        all.insert(all.end(), some.begin(), some.end());
    const std::size_t rank = all.size() * 3 / 5;
    return nthSmallest(all, rank);
}

/// Squared distance of each row that has k later rows to the k-th nearest of them; infinite if it is beyond `limit`.
std::vector<float> reaches(const NearSearch& search, std::size_t k, LaterPairs& kept, unsigned threads,
                           const JobContext& job) {
    const TopSupport& support = search.queries;
    const std::size_t usable = support.rows - k;
    const std::size_t most = kPairsKept * k * support.rows;
    std::vector<float> reach(usable, std::numeric_limits<float>::infinity());
    kept.parts.clear();
    kept.parts.resize((support.rows + kNearRowsPerTask - 1) / kNearRowsPerTask);
    kept.limit = search.limit;
    std::atomic<std::size_t> pairs = 0;
    std::vector<NearLists> lists(resolveThreads(threads));
    std::vector<LaterPairs::Part> parts(resolveThreads(threads)); // per worker: grows once, not in every task
    parallelRanges(support.rows, kNearRowsPerTask, threads, job,
                   [&](std::size_t first, std::size_t last, unsigned worker) {
                       LaterPairs::Part& part = parts[worker];
                       part.row.clear();
                       part.squared.clear();
                       part.end.clear();
                       std::vector<float> squared;
                       const auto take = [&](std::size_t i, const NearRows& rows) {
                           part.row.insert(part.row.end(), rows.row, rows.row + rows.count);
                           part.squared.insert(part.squared.end(), rows.squared, rows.squared + rows.count);
                           part.end.push_back(part.row.size());
                           if (i < usable && rows.count >= k) {
                               squared.assign(rows.squared, rows.squared + rows.count);
                               reach[i] = nthSmallest(squared, k - 1);
                           }
                       };
                       forNear(search, first, last, lists[worker], take);
                       if ((pairs += part.row.size()) <= most)
                           kept.parts[first / kNearRowsPerTask] = part; // takes no more memory than it fills
                   });
    kept.complete = pairs <= most;
    if (!kept.complete)
        kept.parts.clear();
    return reach;
}

} // namespace

Bandwidth findBandwidth(const TopSupport& support, const PointDistances& points, const TopOptions& options,
                        unsigned threads, const JobContext& job) {
    Bandwidth bandwidth{std::numeric_limits<float>::quiet_NaN(), {}};
    const std::size_t k = options.neighborsPerDim * support.dim;
    if (support.rows < k + 2)
        return bandwidth;
    const std::size_t middle = (support.rows - k) / 2 - 1; // the published program's rank
    for (float limit = guessedReach(support, points, k, threads, job); std::isfinite(limit);
         limit = std::max(limit * 2.0F, std::numeric_limits<float>::min())) {
        std::vector<float> reach = reaches({support, points, limit, Wanted::Later}, k, bandwidth.kept, threads, job);
        const float found = nthSmallest(reach, middle);
        if (std::isfinite(found)) {
            bandwidth.squared = found;
            break;
        }
    }
    return bandwidth;
}

} // namespace assay
