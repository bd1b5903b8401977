#pragma once

#include "engine/base/host_device.h"
#include "engine/neighbors/search/rounding.h"

#include <cstddef>
#include <cstdint>

namespace assay::cuda {

// Bounds on the distance of two float32 rows from the product of the same rows rounded to bfloat16: those of
// neighbors/search/rounding.h, with x' the row rounded to bfloat16; coordinates are also centred, x = scale *
// stored - centre, which cancels in differences. P = x'.y' exactly, and p is the product that the tensor cores return.
//
// The product. A tensor core multiplies bfloat16 exactly (16 bits) and adds a group of products and the accumulator in
// one step: it aligns them to the largest, keeps at least 24 bits of each and cuts off the rest, and cuts the sum to a
// float (Fasi et al. 2021, Numerical behavior of NVIDIA tensor cores; Khattak and Mikaitis 2025 for A100 and H100).
// With u = 2^-24, each of the g + 1 addends and the sum lose at most 2u of the largest magnitude M in the step, and M
// is at most B = sum |x'_i y'_i| <= |x'||y'|, give or take what was lost before. Per 16 columns that is (16 / g)(g + 2)
// losses: 18 for groups of 16, 20 of 8, 24 of 4. With 24 for any of them, and for any ordinary sequence of roundings as
// well,
//
//     |p - P| <= kappa_p |x'||y'| + f <= kappa_p (|x'|^2 + |y'|^2) / 2 + f,      kappa_p = 24 (columns / 16) 2u
//
// where f = columns * 2^-125 covers products and sums below the smallest normal float that may be flushed to zero. The
// growth of M by earlier losses is covered by the difference of 24 to 20 while kappa_p < 1/5, that is to 2^20 columns.
//
// The estimate E = p * -2 + (term_x + term_y), in float, is off by at most 3.5 u S, S = |x'|^2 + |y'|^2, beside the
// error of p. With kappa = kappa_p + 8u, term_x = |x'|^2 (1 - kappa) - 2f and slack_x = |x'|^2 (2 kappa + 4u) + 8f.
// Everything that is compared with a limit is a root, so that nothing overflows: a `reach` is a distance in scaled
// units with a margin of 16u: float operations are off by 5u at most, distances measured in double by far less.

/// Rows are padded with zeros to a multiple of this many columns.
constexpr std::size_t kColumnGroup = 32;
/// Sets of more columns are searched on the CPU (see kappa_p).
constexpr std::size_t kMostColumns = std::size_t{1} << 20;

ASSAY_HOST_DEVICE std::size_t paddedColumns(std::size_t dim) {
    return (dim + kColumnGroup - 1) / kColumnGroup * kColumnGroup;
}

/// The bounds of one row.
struct RowTerms {
    float term;     ///< added to the estimates of the row's pairs
    float slack;    ///< the row's share of how far an estimate can lie below |x' - y'|^2
    float residual; ///< upper bound of |x - x'|
};

/// An upper and a lower bound of a non-negative value, with a margin for the rounding of float operations.
ASSAY_HOST_DEVICE float upperBoundOf(double value) {
    return floatAtLeast(value * (1.0 + 16.0 * kFloatUnit));
}
ASSAY_HOST_DEVICE float lowerBoundOf(double value) {
    return floatAtMost(value * (1.0 - 16.0 * kFloatUnit));
}

/// Rounds to bfloat16, ties to even; what is below the normal range becomes zero. |value| stays below its largest.
ASSAY_HOST_DEVICE std::uint16_t toBfloat16(float value) {
    const std::uint32_t bits = bitsOf(value);
    if ((bits & 0x7F800000U) == 0)
        return 0;
    return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}
ASSAY_HOST_DEVICE float fromBfloat16(std::uint16_t value) {
    return floatOf(static_cast<std::uint32_t>(value) << 16);
}

/// kappa_p above.
ASSAY_HOST_DEVICE double accumulationShare(std::size_t paddedDim) {
    const std::size_t steps = paddedDim / 16;
    return 48.0 * kFloatUnit * static_cast<double>(steps);
}

/// A stored value in scaled and centred units. The double differs from it by less than one rounding.
ASSAY_HOST_DEVICE double centred(float stored, double scale, float centre) {
    return plus(times(static_cast<double>(stored), scale), -static_cast<double>(centre));
}

/// @param squaredNorm |x'|^2, as a double-precision sum
/// @param squaredResidual |x - x'|^2, likewise
ASSAY_HOST_DEVICE RowTerms rowTerms(double squaredNorm, double squaredResidual, std::size_t paddedDim) {
    const double kappa = accumulationShare(paddedDim) + 8.0 * kFloatUnit;
    const double flushed = static_cast<double>(paddedDim + 8) * 0x1p-125;
    RowTerms terms{};
    terms.term = floatAtMost(squaredNorm * (1.0 - kappa) - 2.0 * flushed);
    terms.slack = floatAtLeast(squaredNorm * (2.0 * kappa + 4.0 * kFloatUnit) + 8.0 * flushed);
    // Sums of doubles are off by columns * 2^-53 at most, the centred values by 2^-53 of themselves.
    terms.residual = upperBoundOf(squareRoot(squaredResidual) * (1.0 + 1e-9) + squareRoot(squaredNorm) * 1e-15);
    return terms;
}

/// E above.
ASSAY_HOST_DEVICE float estimateOf(float product, float termX, float termY) {
    return fused(-2.0F, product, plus(termX, termY));
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

} // namespace assay::cuda
