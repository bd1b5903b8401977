#pragma once

#include "engine/base/job_context.h"
#include "engine/math/products/point_distances.h"
#include "engine/metrics/embedding/top_support.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// Pairs of a set's rows, each with the rows behind it: kept from the search for the bandwidth, because the density is
/// summed over the same ones again.
struct LaterRows {
    /// Those of one task's rows, one row's after the other's.
    struct Part {
        std::vector<std::uint32_t> row;
        std::vector<float> squared;
        std::vector<std::size_t> end; ///< per row of the task
    };
    std::vector<Part> parts;
    float limit = -1.0F;   ///< none farther apart than this is kept
    bool complete = false; ///< whether all of those are
};

/// Pairs kept, at most, per row and neighbour that the bandwidth asks for: more than there are in a set whose rows lie
/// about as dense everywhere.
constexpr std::size_t kPairsKept = 4;

/// Balloon estimate of a support's points: the square of the median distance to the k-th nearest later row,
/// k = options.neighborsPerDim * dimensions.
struct Bandwidth {
    float squared; ///< NaN for too few rows, and for squares beyond float32
    LaterRows kept;
};

/// @throws Cancelled, std::bad_alloc
Bandwidth findBandwidth(const TopSupport& support, const PointDistances& points, const TopOptions& options,
                        unsigned threads, const JobContext& job);

} // namespace assay
