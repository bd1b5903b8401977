#pragma once

#include "engine/base/host_device.h"
#include "engine/neighbors/search/bounds.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace assay::cuda {

// Bounds on the distance of two float32 rows from the product of what represents them: those of
// engine/neighbors/search/bounds.h. Coordinates are centred, x = scale * stored - centre, which cancels in differences;
// x' is the row rounded to floats, or to integers from -127 to 127 times a step of its own. Products are made by
// cuBLAS: of integers exactly, of floats with an error that holds for any order of summation (there, too).
//
// Everything that is compared with a limit is a root, so that nothing overflows: a `reach` is a distance in scaled
// units with a margin of 16u: float operations are off by 5u at most, distances measured in double by far less.

/// Rows are padded with zeros to a multiple of this many columns: cuBLAS multiplies integers on tensor cores where rows
/// begin at multiples of 16 bytes, and a warp takes 32 columns at a time.
constexpr std::size_t kColumnGroup = 32;
/// Sets of more columns are searched on the CPU: the error of float products becomes a large share of them.
constexpr std::size_t kMaxColumns = std::size_t{1} << 20;

ASSAY_HOST_DEVICE std::size_t paddedColumns(std::size_t dim) {
    return (dim + kColumnGroup - 1) / kColumnGroup * kColumnGroup;
}

/// Bytes of a value of x'.
ASSAY_HOST_DEVICE std::size_t valueBytes(Precision precision) {
    return precision == Precision::Integer ? sizeof(std::int8_t) : sizeof(float);
}

/// An upper and a lower bound of a non-negative value, with a margin for the rounding of float operations.
ASSAY_HOST_DEVICE float upperBoundOf(double value) {
    return floatAtLeast(value * (1.0 + 16.0 * kFloatUnit));
}
ASSAY_HOST_DEVICE float lowerBoundOf(double value) {
    return floatAtMost(value * (1.0 - 16.0 * kFloatUnit));
}

/// The step of a row whose largest magnitude is this. 0 for a row so close to the centre that steps would underflow:
/// its integers are 0.
ASSAY_HOST_DEVICE float stepOf(float largest) {
    constexpr float kMin = 0x1p-100F;
    return largest >= kMin ? floatAtLeast(static_cast<double>(largest) / 127.0) : 0.0F;
}
ASSAY_HOST_DEVICE std::int8_t toInteger(double value, float step) {
    return step > 0.0F ? static_cast<std::int8_t>(std::rint(value / static_cast<double>(step))) : std::int8_t{0};
}

/// A stored value in scaled and centred units. The double differs from it by less than one rounding.
ASSAY_HOST_DEVICE double centred(float stored, double scale, float centre) {
    return plus(times(static_cast<double>(stored), scale), -static_cast<double>(centre));
}

/// Upper bound of |x - x'|.
/// @param squaredResidual |x - x'|^2 as a double-precision sum: off by columns * 2^-53 at most, the centred values by
///        2^-53 of themselves
/// @param represented |x'|^2, likewise
ASSAY_HOST_DEVICE float residualOf(double squaredResidual, double represented) {
    return upperBoundOf(squareRoot(squaredResidual) * (1.0 + 1e-9) + squareRoot(represented) * 1e-15);
}

/// The terms of a row in the estimates of its pairs. The step is 1 for floats.
struct EstimateTerms {
    float step, term;
};
/// E of engine/neighbors/search/bounds.h. @param product of values of x' and y', in steps
ASSAY_HOST_DEVICE float estimateOf(float product, const EstimateTerms& x, const EstimateTerms& y) {
    return fused(times(times(-2.0F, x.step), y.step), product, plus(x.term, y.term));
}

/// The largest estimate of a pair whose distance may be at most `reach`; minus infinity where the reach is. Increases
/// with each argument, so that the largest residual of several rows gives a bound for all of them.
ASSAY_HOST_DEVICE float largestEstimateWithin(float reach, float residualX, float residualY) {
    const float root = plus(plus(reach, residualX), residualY);
    return root >= 0.0F ? times(root, root) : -infinity();
}

/// Whether the distance of a pair may be at most `reach`. If not, it is certainly larger.
ASSAY_HOST_DEVICE bool mayBeWithin(float estimate, float reach, float residualX, float residualY) {
    return estimate <= largestEstimateWithin(reach, residualX, residualY);
}

/// Upper bound of a pair's distance.
ASSAY_HOST_DEVICE float reachOf(float estimate, float slackX, float slackY, float residualX, float residualY) {
    const float squared = plus(estimate, plus(slackX, slackY));
    const float root = plus(squareRoot(squared > 0.0F ? squared : 0.0F), plus(residualX, residualY));
    return plus(root, times(root, 0x1p-20F));
}

/// Upper bound, in scaled units, of a measured distance or of the radius of a closed ball: a pair that cannot be within
/// it is certainly outside. Minus infinity for an empty ball (negative radius).
ASSAY_HOST_DEVICE float reachOfDistance(double distance, double scale) {
    return distance >= 0.0 ? upperBoundOf(distance * scale) : -infinity();
}
/// Lower bound of a radius, in scaled units: a pair within it is certainly inside the ball.
ASSAY_HOST_DEVICE float sureReach(double radius, double scale) {
    return radius >= 0.0 ? lowerBoundOf(radius * scale) : -infinity();
}

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
