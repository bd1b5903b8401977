#pragma once

#include "engine/base/mixed_bits.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace assay {

/// SplitMix64 (Steele, Lea, Flood 2014). Written here because the standard library's distributions differ between
/// implementations, and the demo must produce identical bytes everywhere.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    /// An independent generator for one item of a seeded series, so that items can be generated in any order.
    static Random forItem(std::uint64_t seed, std::uint64_t item) {
        return Random(Random(seed ^ (Random(item).next() << 1)).next());
    }

    std::uint64_t next() {
        state_ += kSplitMixStep;
        return mixedBits(state_);
    }

    /// Uniform in [0, 1).
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    /// Bell-shaped in [-1, 1) with mean 0 and standard deviation 1/3: the sum of three uniform draws, shifted and
    /// scaled.
    double bell() {
        double sum = uniform();
        sum += uniform();
        sum += uniform();
        return sum * (2.0 / 3.0) - 1.0;
    }

    /// Standard normal, by Box and Muller.
    double normal() {
        const double length = std::sqrt(-2.0 * std::log(1.0 - uniform()));
        return length * std::cos(2.0 * std::numbers::pi * uniform());
    }

    /// Uniform in 0 .. n - 1. @pre 0 < n, n well below 2^32
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(((next() >> 32) * n) >> 32); }

    template <typename T>
    void shuffle(std::vector<T>& items) {
        for (std::size_t left = items.size(); left > 1; --left)
            std::swap(items[left - 1], items[below(left)]);
    }

    /// The numbers 0 .. count - 1 in random order.
    std::vector<std::uint32_t> order(std::size_t count) {
        std::vector<std::uint32_t> numbers(count);
        std::iota(numbers.begin(), numbers.end(), 0U);
        shuffle(numbers);
        return numbers;
    }

private:
    std::uint64_t state_;
};

/// Draws `count` different numbers below `limit` (all, if there are fewer), in random order, by the 64-bit Mersenne
/// Twister. Fisher and Yates by hand: std::shuffle draws otherwise in every library.
inline std::vector<std::uint32_t> drawNumbers(std::size_t count, std::size_t limit, std::uint64_t seed) {
    std::vector<std::uint32_t> numbers(limit);
    std::iota(numbers.begin(), numbers.end(), 0U);
    std::mt19937_64 random(seed);
    count = std::min(count, limit);
    for (std::size_t at = 0; at < count; ++at)
        std::swap(numbers[at], numbers[at + random() % (limit - at)]);
    numbers.resize(count);
    return numbers;
}

} // namespace assay
