#pragma once

#include "engine/gpu/device/measure.h"

#include <cstddef>

namespace assay::cuda::test {

/// The sum of one lane of a warp: over the coordinates lane, lane + 32, ...
inline double laneSum(const float* x, const float* y, std::size_t dim, unsigned lane) {
    double sum = 0.0;
    for (std::size_t c = lane; c < dim; c += kLanes)
        sum = withSquare(sum, x[c], y[c]);
    return sum;
}

} // namespace assay::cuda::test
