#pragma once

#include "engine/base/job_context.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Some of the random splits of a set into halves: bit s for split s. What is found for each of them by counting is
/// found for all at once.
using Splits = std::uint64_t;

constexpr std::size_t kSplits = 64; ///< the variance found from them is good to a sixth

/// In which half a row is, in every split.
struct RowHalves {
    Splits second = 0;          ///< in the second half
    Splits either = ~Splits{0}; ///< in one of the two, not the last of an odd number

    Splits in(std::size_t half) const noexcept { return either & (half == 0 ? ~second : second); }
};

/// Splits that have both rows in the same half.
inline Splits sameHalf(const RowHalves& a, const RowHalves& b) noexcept {
    return ~(a.second ^ b.second) & a.either & b.either;
}

/// Halves of kSplits random splits; of an odd number of rows one is in neither.
/// @throws Cancelled
std::vector<RowHalves> randomHalves(std::size_t rows, std::uint64_t seed, unsigned threads, const JobContext& job);

/// Numbers that count down to zero, for every row one per split: word b of a row holds bit b of its numbers.
class Countdowns {
public:
    Countdowns(std::size_t rows, std::size_t from)
        : from_(from), width_(static_cast<std::size_t>(std::bit_width(from))), words_(rows * width_) {
        for (std::size_t row = 0; row < rows; ++row)
            restart(row);
    }

    void restart(std::size_t row) noexcept {
        for (std::size_t bit = 0; bit < width_; ++bit)
            words_[row * width_ + bit] = (from_ >> bit & 1) == 0 ? Splits{0} : ~Splits{0};
    }

    /// Splits whose number is above zero.
    Splits open(std::size_t row) const noexcept {
        Splits some = 0;
        for (std::size_t bit = 0; bit < width_; ++bit)
            some |= words_[row * width_ + bit];
        return some;
    }

    /// Takes one from the numbers of these splits, which are above zero. @return those that are zero now
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

    std::span<const Splits> bits(std::size_t row) const noexcept { return {words_.data() + row * width_, width_}; }

private:
    std::size_t from_;
    std::size_t width_;
    std::vector<Splits> words_;
};

/// A sum per split.
class SplitSums {
public:
    /// Adds to each of these splits its number, given bit by bit.
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

    /// Adds one to each of these splits.
    void addOne(Splits splits) noexcept { add({&splits, 1}, splits); }

    void add(const SplitSums& other) noexcept { add(other.bits_, ~Splits{0}); }

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
