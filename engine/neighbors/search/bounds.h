#pragma once

#include "engine/base/host_device.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace assay {

class ProductOperand;

// Rounding errors of squared distances of float32 rows, scaled by a power of two to magnitudes of at most 1 (exact
// but for underflow). With u = 2^-24, a sum of d products, in whatever order and with or without fused multiply-add, is
// off by at most gamma_d = d u / (1 - d u) of the sum of their magnitudes (Higham, Accuracy and Stability of Numerical
// Algorithms, 3.1). FloatBounds is for distances that are summed directly. In a product a row x is
// represented by x', at most a residual e_x away; the product p of x' and y' gives the estimate, in float,
//
//     E = -2 p + term_x + term_y,      E <= |x' - y'|^2 <= E + slack_x + slack_y
//
// where p and the sums are off by at most kappa (|x'|^2 + |y'|^2): the terms take it off, slack gives it back twice. By
// the triangle inequality, which stays sharp for rows that are much nearer to each other than to the origin,
//
//     max(0, sqrt(E) - e_x - e_y)  <=  |x - y|  <=  sqrt(E + slack_x + slack_y) + e_x + e_y
//
// kappa is derived for floats and integers below.

/// Bounds on the squared distance of two rows.
struct PairBounds {
    double low;
    double high;
};

constexpr double kFloatUnit = 0x1p-24; ///< u above

/// The next larger float; infinity and NaN stay.
ASSAY_HOST_DEVICE float nextUp(float value) {
    if (!(value < cuda::infinity()))
        return value;
    const auto bits = cuda::bitsOf(value);
    return cuda::floatOf(value == 0.0F ? 1 : value < 0.0F ? bits - 1 : bits + 1);
}

/// Smallest float of at least a number, largest of at most it. Infinities stay.
ASSAY_HOST_DEVICE float floatAtLeast(double value) {
    const auto nearest = static_cast<float>(value);
    return static_cast<double>(nearest) < value ? nextUp(nearest) : nearest;
}
ASSAY_HOST_DEVICE float floatAtMost(double value) {
    return -floatAtLeast(-value);
}

/// Numbers that products are made of: single-precision floats, or 8-bit integers with a step per row (several times the
/// rate, a quarter of the memory, wider bounds).
enum class Precision { Single, Integer };

/// Integer products of more columns do not fit their 32-bit accumulators.
constexpr std::size_t kMaxIntegerColumns = 131072;

/// Terms of one row in the bounds (see ProductOperand).
struct RowBounds {
    float residual; ///< |x - x'| is at most this
    float offset;   ///< lower norm bound: what is added for this row
    float above;    ///< upper norm bound: what is added for this row
    float slack;    ///< by how much this row can make the estimate too low
};

/// How far a limit on the scaled squared distance reaches, in the two forms that the kernels compare with.
struct PruningLimit {
    float reach; ///< on the estimate's root, before the other row's residual
    float level; ///< on the estimate, before the other row's offset

    /// @param limit minus infinity admits nothing, infinity everything
    static PruningLimit of(float limit, const RowBounds& row);

    /// No estimate above this is admitted, whatever the row of `others`.
    float most(const ProductOperand& others) const;

    /// Whether a row of these bounds may be within the limit.
    ASSAY_HOST_DEVICE_MEMBER bool admits(float estimate, const RowBounds& other) const noexcept {
        const float root = reach + other.residual;
        return estimate <= root * root && estimate + other.offset <= level;
    }
};

/// A pair of a tile that its row's limit admits.
struct PairHit {
    std::uint32_t row;
    std::uint32_t column;
    float estimate; ///< of the scaled squared distance
};

/// Terms of a row in the estimates of its pairs.
struct RowTerms {
    float term;  ///< added to the estimate
    float slack; ///< by how much the row can make the estimate too low
};

// kappa of above, for the products of the CPU and of graphics cards. With S = |x'|^2 + |y'|^2 and u = 2^-24, a sum
// of d products of floats is off by at most gamma_d S / 2, in whatever order; a sum of products of integers is exact.
// Rounding the scaled and centred rows changes the squared distance by at most 4.1 u S, and the few operations on one
// estimate are off by at most 8 u S. All together stay below kappa S with kappa = gamma_d + 16 u (integers: 16 u).

ASSAY_HOST_DEVICE double estimateError(Precision precision, std::size_t dim) {
    const double n = precision == Precision::Single ? static_cast<double>(dim) * kFloatUnit : 0.0;
    return n / (1.0 - n) + 16.0 * kFloatUnit;
}

/// Products of scaled coordinates below 2^-126 may be flushed to zero; a sum of d of them stays below this.
ASSAY_HOST_DEVICE double flushedToZero(std::size_t dim) {
    return static_cast<double>(dim + 8) * 0x1p-124;
}

/// @param represented |x'|^2, off by few roundings in double precision
ASSAY_HOST_DEVICE RowTerms rowTerms(double represented, Precision precision, std::size_t dim) {
    const double kappa = estimateError(precision, dim);
    const double flushed = flushedToZero(dim);
    return {-nextUp(floatAtLeast(flushed - represented * (1.0 - kappa))),
            nextUp(floatAtLeast(represented * (2.0 * kappa + 4.0 * kFloatUnit) + 4.0 * flushed))};
}

/// Error bounds of single-precision squared distances, and thresholds that are safe despite these errors.
///
/// A difference, its square and the sum of d squares give f with |f - s| <= e s + t, s the true squared distance. The
/// relative error e = (d + 8) u covers at most d + 2 roundings per term, and the
/// later rounding of a limit to float. The absolute error t, the smallest normal float, covers underflow (d 2^-145 at
/// most). The same bounds hold for the distance to a box, which is never greater than the distance to a point inside.
/// All bounds need e <= 1/4.
class FloatBounds {
public:
    static constexpr std::size_t kMaxDimensions = std::size_t{1} << 21;

    explicit FloatBounds(std::size_t dim) : e_(static_cast<double>(dim + 8) * kFloatUnit) {}

    /// Limit for f: a point with f above it is farther away than every point with f <= `squared`.
    float limitOver(float squared) const {
        return toFloat(static_cast<double>(squared) * (1.0 + 3.0 * e_) + 4.0 * kTiny);
    }
    /// Limit for f: a point with f above it has a true squared distance above `squared`.
    float outside(double squared) const { return toFloat(squared * (1.0 + 1.5 * e_) + 2.0 * kTiny); }
    /// Limit for f: a point with f at most this has a true squared distance of at most `squared`. Negative if no f can
    /// guarantee that.
    float inside(double squared) const { return toFloat(squared * (1.0 - 1.5 * e_) - 2.0 * kTiny); }

    /// Bounds on the true squared distance of two points.
    PairBounds around(float squared) const {
        const auto found = static_cast<double>(squared);
        return {std::max(0.0, found - 2.0 * kTiny) * (1.0 - 1.5 * e_), (found + 2.0 * kTiny) * (1.0 + 1.5 * e_)};
    }

private:
    static constexpr double kTiny = std::numeric_limits<float>::min();
    static float toFloat(double x) {
        return x > std::numeric_limits<float>::max() ? std::numeric_limits<float>::infinity() : static_cast<float>(x);
    }

    double e_;
};

} // namespace assay
