#pragma once

#include "engine/base/host_device.h"

#include <cstddef>
#include <cstdint>

namespace assay::cuda {

/// A squared distance is summed in 32 lanes (engine/math/products/kernels.h): a warp's lane is one of them.
constexpr unsigned kLanes = 32;

/// Adds one coordinate's share to the lane that it belongs to. Nothing is contracted: the sum is part of the
/// definition.
ASSAY_HOST_DEVICE double withSquare(double lane, float x, float y) {
    const double difference = plus(static_cast<double>(x), -static_cast<double>(y));
    return plus(lane, times(difference, difference));
}

/// One lane's sum over the coordinates lane, lane + 32, ...
ASSAY_HOST_DEVICE double laneSum(const float* x, const float* y, std::size_t dim, unsigned lane) {
    double sum = 0.0;
    for (std::size_t c = lane; c < dim; c += kLanes)
        sum = withSquare(sum, x[c], y[c]);
    return sum;
}

/// Whether a measured neighbour stands before another: by distance, then by row.
ASSAY_HOST_DEVICE bool standsBefore(double distanceA, std::uint32_t indexA, double distanceB, std::uint32_t indexB) {
    return distanceA < distanceB || (distanceA == distanceB && indexA < indexB);
}

} // namespace assay::cuda
