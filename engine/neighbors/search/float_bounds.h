#pragma once

#include "engine/neighbors/search/rounding.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace assay {

/// Error bounds of single-precision squared distances, and thresholds that are safe despite these errors.
///
/// A difference, its square and the sum of d squares give f with |f - s| <= e s + t, s the true squared distance. The
/// relative error e = (d + 8) u covers at most d + 2 roundings per term (rounding.h), and the later rounding of a limit
/// to float. The absolute error t, the smallest normal float, covers underflow (d 2^-145 at most). The same bounds hold
/// for the distance to a box, which is never greater than the distance to a point inside. All bounds need e <= 1/4.
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
