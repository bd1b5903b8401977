#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// A set of rows of one sample set, with one bit per row, so that a mask of 50,000 rows fits into the first-level
/// cache.
class RowMask {
public:
    explicit RowMask(std::size_t rows = 0) : words_((rows + 63) / 64, 0) {}
    explicit RowMask(const std::vector<bool>& flags) : RowMask(flags.size()) {
        for (std::size_t row = 0; row < flags.size(); ++row)
            if (flags[row])
                add(row);
    }

    /// Adds a row. Precondition: the mask does not contain it.
    void add(std::size_t row) noexcept {
        words_[row / 64] |= std::uint64_t{1} << (row % 64);
        ++count_;
    }
    bool contains(std::size_t row) const noexcept { return bit(row) != 0; }
    /// 1 if the mask contains the row, else 0.
    std::size_t bit(std::size_t row) const noexcept { return (words_[row / 64] >> (row % 64)) & 1U; }
    std::size_t count() const noexcept { return count_; }

    /// Whether every row of this mask is in `other`, a mask over the same set.
    bool isSubsetOf(const RowMask& other) const noexcept {
        for (std::size_t w = 0; w < words_.size(); ++w)
            if ((words_[w] & ~other.words_[w]) != 0)
                return false;
        return true;
    }

    /// The rows of the mask, ascending.
    std::vector<std::uint32_t> rows() const {
        std::vector<std::uint32_t> list;
        list.reserve(count_);
        for (std::size_t w = 0; w < words_.size(); ++w)
            for (std::uint64_t left = words_[w]; left != 0; left &= left - 1)
                list.push_back(static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(left))));
        return list;
    }

    std::size_t bytes() const noexcept { return words_.size() * sizeof(std::uint64_t); }

private:
    std::vector<std::uint64_t> words_;
    std::size_t count_ = 0;
};

} // namespace assay
