#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace assay {

/// Squared distances of one row from several, of `dim` floats each, in double precision: as good as the definition's
/// but for rounding, and quicker, because the sums may be made in any order.
/// @param rows `count` of them @param squared takes `count` results
void squaredDistancesNear(const float* row, const float* const* rows, std::size_t count, std::size_t dim,
                          double* squared);

/// The square of a probability, a product of squared distances over the square of the largest one, each at most 1, as a
/// sum of whole numbers: the logarithms of
/// the factors in steps of 2^-52 octaves. Sums of whole numbers are the same in whatever order pairs are found, by
/// whichever search.
class ProbabilityInSteps {
public:
    static constexpr int kClosedOctaves = 80; ///< halvings to kNegligibleProbability, squared

    /// Logarithm of a squared distance, in steps; the least there is for 0.
    static std::int64_t logarithm(double squared);

    /// Summand of a pair where distances count up to one of the logarithm `within`; 0 for one beyond it.
    static std::int64_t factor(std::int64_t within, std::int64_t distance) noexcept {
        return distance < within ? within - distance : 0;
    }

    /// Multiplies by what factor() or sum() returned. Safe from any thread. @return whether this made it negligible
    bool take(std::int64_t steps) noexcept {
        std::int64_t sum = sum_.load(std::memory_order_relaxed);
        std::int64_t next = 0;
        do
            next = ProbabilityInSteps::sum(steps, sum);
        while (!sum_.compare_exchange_weak(sum, next, std::memory_order_relaxed));
        return next == kClosed && sum != kClosed;
    }
    /// Both together, none above what makes a probability negligible.
    static std::int64_t sum(std::int64_t a, std::int64_t b) noexcept { return a < kClosed - b ? a + b : kClosed; }
    /// Makes the probability negligible.
    void close() noexcept { sum_.store(kClosed, std::memory_order_relaxed); }
    bool isNegligible() const noexcept { return sum_.load(std::memory_order_relaxed) == kClosed; }

    /// The probability; 0 where it is negligible.
    double probability() const;

private:
    static constexpr std::int64_t kOctave = std::int64_t{1} << 52;
    static constexpr std::int64_t kClosed = kClosedOctaves * kOctave;

    std::atomic<std::int64_t> sum_ = 0;
};

} // namespace assay
