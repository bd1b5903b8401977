#pragma once

#include "engine/base/host_device.h"

#include <cstddef>
#include <cstdint>

namespace assay::cuda {

/// Lanes of the sum of a squared distance (engine/math/products/kernels.h); one per thread of a warp.
constexpr unsigned kLanes = 32;

/// Adds the square of one coordinate's difference to a lane, without contraction to a fused multiply-add: the rounding
/// is part of the definition.
ASSAY_HOST_DEVICE double withSquare(double lane, float x, float y) {
    const double difference = plus(static_cast<double>(x), -static_cast<double>(y));
    return plus(lane, times(difference, difference));
}

/// The order of neighbours: by distance, then by row.
ASSAY_HOST_DEVICE bool standsBefore(double distanceA, std::uint32_t indexA, double distanceB, std::uint32_t indexB) {
    return distanceA < distanceB || (distanceA == distanceB && indexA < indexB);
}

} // namespace assay::cuda
