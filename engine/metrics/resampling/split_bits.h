#pragma once

#include "engine/base/job_context.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// A set of random splits: bit s stands for split s. One operation on these bits counts for all splits at once.
using Splits = std::uint64_t;

constexpr std::size_t kSplits = 64; ///< number of splits; a variance estimated from them is accurate to about one sixth

/// The half of a row in every split.
struct RowHalves {
    Splits second = 0; ///< splits in which the row is in the second half
    /// Splits in which the row is in a half; with an odd number of rows one row per split is in none.
    Splits either = ~Splits{0};

    Splits in(std::size_t half) const noexcept { return either & (half == 0 ? ~second : second); }
};

/// Splits in which both rows are in the same half.
inline Splits sameHalf(const RowHalves& a, const RowHalves& b) noexcept {
    return ~(a.second ^ b.second) & a.either & b.either;
}

/// Draws kSplits random splits into halves of equal size. With an odd number of rows, one row per split is in neither
/// half.
/// @param threads 0: all cores
/// @return one value per row
/// @throws Cancelled
std::vector<RowHalves> randomHalves(std::size_t rows, std::uint64_t seed, unsigned threads, const JobContext& job);

/// Counters that count down to zero, one per row and split. They are stored bit-sliced: word b of a row holds bit b of
/// the row's counters.
class Countdowns {
public:
    /// @param from start value of every counter
    Countdowns(std::size_t rows, std::size_t from)
        : from_(from), width_(static_cast<std::size_t>(std::bit_width(from))), words_(rows * width_) {
        for (std::size_t row = 0; row < rows; ++row)
            restart(row);
    }

    /// Sets all counters of a row to the start value.
    void restart(std::size_t row) noexcept {
        for (std::size_t bit = 0; bit < width_; ++bit)
            words_[row * width_ + bit] = (from_ >> bit & 1) == 0 ? Splits{0} : ~Splits{0};
    }

    /// Splits whose counter is above zero.
    Splits open(std::size_t row) const noexcept {
        Splits some = 0;
        for (std::size_t bit = 0; bit < width_; ++bit)
            some |= words_[row * width_ + bit];
        return some;
    }

    /// Decrements the counters of these splits. Precondition: they are above zero.
    /// @return the splits whose counter is zero now
    Splits take(std::size_t row, Splits splits) noexcept {
        Splits borrow = splits;
        Splits some = 0;
        for (Splits* word = words_.data() + row * width_; word != words_.data() + (row + 1) * width_; ++word) {
            const Splits was = *word;
            *word ^= borrow;
            borrow &= ~was;
            some |= *word;
        }
        return splits & ~some;
    }

    /// The counters of a row, bit-sliced.
    std::span<const Splits> bits(std::size_t row) const noexcept { return {words_.data() + row * width_, width_}; }

private:
    std::size_t from_;
    std::size_t width_;
    std::vector<Splits> words_;
};

/// One sum per split, stored bit-sliced.
class SplitSums {
public:
    /// Adds a number to the sum of each given split. The numbers are bit-sliced.
    void add(std::span<const Splits> bits, Splits splits) noexcept {
        Splits carry = 0;
        std::size_t bit = 0;
        for (; bit < bits.size(); ++bit) {
            const Splits summand = bits[bit] & splits;
            const Splits odd = bits_[bit] ^ summand;
            const Splits both = bits_[bit] & summand;
            bits_[bit] = odd ^ carry;
            carry = both | (odd & carry);
        }
        for (; carry != 0; ++bit) {
            const Splits was = bits_[bit];
            bits_[bit] ^= carry;
            carry &= was;
        }
    }

    /// Adds one to the sum of each given split.
    void addOne(Splits splits) noexcept { add({&splits, 1}, splits); }

    void add(const SplitSums& other) noexcept { add(other.bits_, ~Splits{0}); }

    /// The sum of a split.
    std::uint64_t of(std::size_t split) const noexcept {
        std::uint64_t sum = 0;
        for (std::size_t bit = 0; bit < bits_.size(); ++bit)
            sum |= (bits_[bit] >> split & 1) << bit;
        return sum;
    }

private:
    std::array<Splits, 64> bits_{};
};

} // namespace assay
