#pragma once

#include "engine/base/job_context.h"
#include "engine/metrics/topological/point_distances.h"
#include "engine/metrics/topological/top_support.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

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
