#pragma once

#include "engine/base/host_device.h"
#include "engine/neighbors/search/rounding.h"

#include <cstddef>
#include <cstdint>

namespace assay {

/// What the products are made of: single-precision floats, or 8-bit integers with a step per row (several times the
/// rate, a quarter of the memory, wider bounds).
enum class Precision { Single, Integer };

/// Integer products of more columns do not fit their 32-bit accumulators.
constexpr std::size_t kMaxIntegerColumns = 131072;

/// What the bounds say of one row (see ProductOperand).
struct RowBounds {
    float residual; ///< |x - x'| is at most this
    float offset;   ///< lower norm bound: what is added for this row
    float above;    ///< upper norm bound: what is added for this row
    float slack;    ///< by how much this row can make the estimate too low
};

class ProductOperand;

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

/// What a row contributes to the estimates of its pairs (rounding.h).
struct RowTerms {
    float term;  ///< added to the estimate
    float slack; ///< by how much the row can make the estimate too low
};

// kappa of rounding.h, for the products of the CPU and of graphics cards. With S = |x'|^2 + |y'|^2 and u = 2^-24, a sum
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

} // namespace assay
