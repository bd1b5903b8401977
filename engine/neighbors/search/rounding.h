#pragma once

#include "engine/base/host_device.h"

namespace assay {

// What rounding does to squared distances of float32 rows, scaled by a power of two to magnitudes of at most 1 (exact
// but for underflow). With u = 2^-24, a sum of d products, in whatever order and with or without fused multiply-add, is
// off by at most gamma_d = d u / (1 - d u) of the sum of their magnitudes (Higham, Accuracy and Stability of Numerical
// Algorithms, 3.1). FloatBounds (float_bounds.h) is for distances that are summed directly. In a product a row x is
// represented by x', at most a residual e_x away; the product p of x' and y' gives the estimate, in float,
//
//     E = -2 p + term_x + term_y,      E <= |x' - y'|^2 <= E + slack_x + slack_y
//
// where p and the sums are off by at most kappa (|x'|^2 + |y'|^2): the terms take it off, slack gives it back twice. By
// the triangle inequality, which stays sharp for rows that are much nearer to each other than to the origin,
//
//     max(0, sqrt(E) - e_x - e_y)  <=  |x - y|  <=  sqrt(E + slack_x + slack_y) + e_x + e_y
//
// kappa is derived for floats and integers in products/row_terms.h.

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

} // namespace assay
