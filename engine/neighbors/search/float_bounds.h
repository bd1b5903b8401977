#pragma once

#include <cstddef>
#include <limits>

namespace assay {

/// How far single-precision squared distances may be off, and the limits that are safe in spite of it.
///
/// Coordinates are float32 scaled by a power of two to magnitudes of at most 1, which is exact but for values that
/// underflow. A difference, its square and the sum of d squares, in any order and with or without fused multiply-add,
/// give f with |f - s| <= e s + t, where s is the true squared distance, e = (d + 8) 2^-24 covers the roundings
/// (Higham, Accuracy and Stability of Numerical Algorithms, 3.1: at most d + 2 of them per term) and the later rounding
/// of a limit to float, and t, the smallest normal float, covers underflow (d 2^-145 at most). The same holds for the
/// distance of a box, which is never more than that of a point inside. The bounds below need e <= 1/4.
class FloatBounds {
public:
    static constexpr std::size_t kMostDimensions = std::size_t{1} << 21;

    explicit FloatBounds(std::size_t dim) : e_(static_cast<double>(dim + 8) * 0x1p-24) {}

    /// What is above is further than every point whose f is at most `squared`.
    float limitOver(float squared) const {
        return toFloat(static_cast<double>(squared) * (1.0 + 3.0 * e_) + 4.0 * kTiny);
    }
    /// What is above has a true squared distance above `squared`.
    float outside(double squared) const { return toFloat(squared * (1.0 + 1.5 * e_) + 2.0 * kTiny); }
    /// What is at most this has a true squared distance of at most `squared`. Negative where nothing is sure.
    float inside(double squared) const { return toFloat(squared * (1.0 - 1.5 * e_) - 2.0 * kTiny); }

private:
    static constexpr double kTiny = std::numeric_limits<float>::min();
    static float toFloat(double x) {
        return x > std::numeric_limits<float>::max() ? std::numeric_limits<float>::infinity() : static_cast<float>(x);
    }

    double e_;
};

} // namespace assay
