#pragma once

#include <cstddef>
#include <cstdint>

namespace assay {

/// Squared distances of one row from several, of `dim` floats each, in double precision: as good as the definition's
/// but for rounding, and quicker, because the sums may be made in any order.
/// @param rows `count` of them @param squared takes `count` results
void squaredDistancesNear(const float* row, const float* const* rows, std::size_t count, std::size_t dim,
                          double* squared);

/// Product of (estimates[c] + (own + above[c])) * unit, each brought into [0, 1], over c < count: of upper bounds on
/// some distances.
double productOfBounds(const float* estimates, const float* above, float own, float unit, std::size_t count);

/// A product of squared distances over a squared reach, each at most 1, as a sum of whole numbers: the logarithms of
/// the factors in steps of 2^-52 octaves. Sums of whole numbers are the same in whatever order pairs are found, by
/// whichever search.
class ProductInSteps {
public:
    /// Of a squared distance in steps, the least there is for 0.
    static std::int64_t logarithm(double squared);

    /// What a pair adds to a row of a reach of this logarithm; 0 for one beyond it.
    static std::int64_t factor(std::int64_t reach, std::int64_t distance) noexcept {
        return distance < reach ? reach - distance : 0;
    }

    /// Takes factors in: what factor() gave, or a sum of such.
    void take(std::int64_t steps) noexcept { sum_ = steps < kClosed - sum_ ? sum_ + steps : kClosed; }
    bool isNegligible() const noexcept { return sum_ == kClosed; }
    void close() noexcept { sum_ = kClosed; }

    /// The product of the distances over the reach, roots of what was taken in; 0 where it is negligible.
    double root() const;

    /// Sums of factors that are taken in together later, none above this.
    static std::int64_t sum(std::int64_t a, std::int64_t b) noexcept { return a < kClosed - b ? a + b : kClosed; }

private:
    static constexpr std::int64_t kOctave = std::int64_t{1} << 52;
    static constexpr std::int64_t kClosed = 80 * kOctave; ///< kNegligibleProduct, squared

    std::int64_t sum_ = 0;
};

} // namespace assay
