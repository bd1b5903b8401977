#include "engine/metrics/set_tests/one_hot.h"

#include "engine/base/parallel.h"
#include "engine/data/feature_layout.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <string_view>

namespace assay {
namespace {

constexpr std::size_t kBitsPerWord = 64;
constexpr std::size_t kRowsPerCount = 4096;

FeatureLayout layoutOf(const FeatureOrigin& origin, std::size_t dim) {
    FeatureLayout layout;
    layout.numbers = dim;
    return origin.preparation != nullptr ? FeatureLayout::of(*origin.preparation, dim) : layout;
}

/// Columns that hold only 0 and 1, a bit per row.
class BinaryColumns {
public:
    BinaryColumns(const ComparedRows& set, std::size_t rows, std::size_t columns, const ComputeContext& context)
        : words_((rows + kBitsPerWord - 1) / kBitsPerWord), place_(columns, kNone) {
        // Numbers show themselves in the first rows, so that few columns are read as a whole.
        constexpr std::size_t kRowsOfFirstLook = 64;
        for (std::size_t c = 0; c < columns; ++c)
            if (isBinary(set, std::min(rows, kRowsOfFirstLook), c)) {
                place_[c] = candidates_.size();
                candidates_.push_back(c);
            }
        bits_.assign(candidates_.size() * words_, 0);
        if (!candidates_.empty())
            read(set, rows, context);
        for (std::size_t at = 0; at < candidates_.size(); ++at)
            for (const std::uint64_t word : wordsAt(at))
                ones_[at] += static_cast<std::size_t>(std::popcount(word));
    }

    std::size_t words() const { return words_; }
    bool has(std::size_t column) const { return place_[column] != kNone; }
    std::span<const std::uint64_t> operator[](std::size_t column) const { return wordsAt(place_[column]); }
    std::size_t ones(std::size_t column) const { return ones_[place_[column]]; }

private:
    static constexpr std::size_t kNone = ~std::size_t{0};

    static bool isBinary(const ComparedRows& set, std::size_t rows, std::size_t column) {
        for (std::size_t r = 0; r < rows; ++r)
            if (const float value = set.row(r)[column]; value != 0.0F && value != 1.0F)
                return false;
        return true;
    }

    void read(const ComparedRows& set, std::size_t rows, const ComputeContext& context) {
        ones_.assign(candidates_.size(), 0);
        std::vector<std::uint8_t> isOther(candidates_.size(), 0);
        parallelRanges(words_, kRowsPerCount / kBitsPerWord, context.threads, context.job.silent(),
                       [&](std::size_t first, std::size_t last, unsigned) {
                           const std::size_t end = std::min(rows, last * kBitsPerWord);
                           for (std::size_t r = first * kBitsPerWord; r < end; ++r)
                               readRow(set.row(r), r, isOther);
                       });
        for (std::size_t at = 0; at < candidates_.size(); ++at)
            if (isOther[at] != 0)
                place_[candidates_[at]] = kNone;
    }

    void readRow(std::span<const float> row, std::size_t r, std::vector<std::uint8_t>& isOther) {
        for (std::size_t at = 0; at < candidates_.size(); ++at) {
            const float value = row[candidates_[at]];
            if (value == 1.0F)
                bits_[at * words_ + r / kBitsPerWord] |= std::uint64_t{1} << (r % kBitsPerWord);
            else if (value != 0.0F) // by several threads, the same value
                std::atomic_ref(isOther[at]).store(1, std::memory_order_relaxed);
        }
    }

    std::span<const std::uint64_t> wordsAt(std::size_t at) const { return {bits_.data() + at * words_, words_}; }

    std::size_t words_;
    std::vector<std::size_t> place_;      ///< of a column among the candidates; kNone: it holds other values
    std::vector<std::size_t> candidates_; ///< columns
    std::vector<std::uint64_t> bits_;     ///< candidates x words
    std::vector<std::size_t> ones_;
};

/// Consecutive columns without a row in which two of them are 1.
class DisjointColumns {
public:
    DisjointColumns(const BinaryColumns& columns, std::size_t rows)
        : columns_(columns), rows_(rows), union_(columns.words(), 0) {}

    bool areWhole() const { return covered_ == rows_; }

    bool fits(std::size_t column) const {
        if (areWhole() || !columns_.has(column))
            return false;
        const auto added = columns_[column];
        return columns_.ones(column) == 0 ||
               std::equal(added.begin(), added.end(), union_.begin(),
                          [](std::uint64_t one, std::uint64_t all) { return (one & all) == 0; });
    }
    void add(std::size_t column) {
        std::ranges::transform(union_, columns_[column], union_.begin(), std::bit_or());
        covered_ += columns_.ones(column);
    }
    void remove(std::size_t column) {
        std::ranges::transform(union_, columns_[column], union_.begin(), std::bit_xor());
        covered_ -= columns_.ones(column);
    }
    void clear() {
        std::ranges::fill(union_, 0);
        covered_ = 0;
    }

private:
    const BinaryColumns& columns_;
    std::size_t rows_;
    std::vector<std::uint64_t> union_;
    std::size_t covered_ = 0; ///< rows in which one of them is 1
};

/// Part of a column's name before "="; empty without one.
std::string_view questionOf(std::span<const std::string> names, std::size_t column) {
    if (column >= names.size())
        return {};
    const std::size_t sign = names[column].find('=');
    return sign == std::string::npos ? std::string_view() : std::string_view(names[column]).substr(0, sign);
}

/// Columns below `end` that are one-hot by their values.
std::vector<OneHotColumns> byValues(const ComparedRows& real, std::size_t rows, std::size_t end,
                                    std::span<const std::string> names, const ComputeContext& context) {
    std::vector<OneHotColumns> found;
    const BinaryColumns columns(real, rows, end, context);
    DisjointColumns run(columns, rows);
    // The run [first, last) grows at its end and, where it can't, shrinks at its start: what is left is disjoint too.
    for (std::size_t first = 0, last = 0; first < end;) {
        context.job.throwIfStopped();
        for (; last < end && run.fits(last); ++last)
            run.add(last);
        if (run.areWhole() && last - first >= 2) {
            const std::string_view question = questionOf(names, first);
            while (last < end && columns.has(last) && !question.empty() && questionOf(names, last) == question)
                ++last;
            found.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last - first)});
            run.clear();
            first = last;
        } else if (first == last) {
            first = ++last;
        } else {
            run.remove(first++);
        }
    }
    return found;
}

bool isBinary(const SetRows& set, const OneHotColumns& run) {
    for (std::size_t r = 0; r < set.rows; ++r)
        if (!std::ranges::all_of(set.set.row(r).subspan(run.first, run.count),
                                 [](float value) { return value == 0.0F || value == 1.0F; }))
            return false;
    return true;
}

} // namespace

std::vector<OneHotColumns> oneHotColumns(const SetRows& real, const SetRows& synthetic, const FeatureOrigin& origin,
                                         const ComputeContext& context) {
    const FeatureLayout layout = layoutOf(origin, real.set.set.dim);
    std::vector<OneHotColumns> columns = byValues(real.set, real.rows, layout.numbers, origin.names, context);
    std::erase_if(columns, [&](const OneHotColumns& run) { return !isBinary(synthetic, run); });
    for (const FeatureLayout::Text& text : layout.texts)
        columns.push_back({static_cast<std::uint32_t>(text.first), static_cast<std::uint32_t>(text.count)});
    return columns;
}

std::vector<std::size_t> categoryCounts(const ComparedRows& set, std::size_t rows,
                                        std::span<const OneHotColumns> columns, const FeatureOrigin& origin,
                                        const ComputeContext& context) {
    const FeatureLayout layout = layoutOf(origin, set.set.dim);
    std::size_t categories = 0;
    for (const OneHotColumns& run : columns)
        categories += run.count;
    const auto countRow = [&](std::span<const float> row, std::vector<std::size_t>& counts) {
        std::size_t place = 0;
        for (const OneHotColumns& run : columns) {
            if (const FeatureLayout::Text* text = layout.textAt(run.first))
                ++counts[place + categoryOf(*origin.preparation, *text, row)];
            else
                for (std::size_t c = 0; c < run.count; ++c)
                    counts[place + c] += row[run.first + c] > 0.5F ? 1 : 0;
            place += run.count;
        }
    };
    std::vector<std::vector<std::size_t>> pieces((rows + kRowsPerCount - 1) / kRowsPerCount);
    parallelRanges(rows, kRowsPerCount, context.threads, context.job.silent(),
                   [&](std::size_t first, std::size_t last, unsigned) {
                       std::vector<std::size_t>& counts = pieces[first / kRowsPerCount];
                       counts.assign(categories, 0);
                       for (std::size_t r = first; r < last; ++r)
                           countRow(set.row(r), counts);
                   });
    std::vector<std::size_t> counts(categories, 0);
    for (const std::vector<std::size_t>& piece : pieces)
        std::ranges::transform(counts, piece, counts.begin(), std::plus());
    return counts;
}

} // namespace assay
