#include "engine/subsets/order/sample_order.h"

#include "engine/data/embedding_set.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

namespace assay {
namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Runs of digits compare as numbers, so that "img-9" comes before "img-10".
bool naturallyLess(const std::string& a, const std::string& b) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (!isDigit(a[i]) || !isDigit(b[j])) {
            if (a[i] != b[j])
                return a[i] < b[j];
            ++i;
            ++j;
            continue;
        }
        const auto run = [](const std::string& s, std::size_t& at) {
            while (at + 1 < s.size() && s[at] == '0' && isDigit(s[at + 1]))
                ++at;
            const std::size_t begin = at;
            while (at < s.size() && isDigit(s[at]))
                ++at;
            return std::string_view(s).substr(begin, at - begin);
        };
        const std::string_view left = run(a, i);
        const std::string_view right = run(b, j);
        if (left.size() != right.size())
            return left.size() < right.size();
        if (left != right)
            return left < right;
    }
    return a.size() - i < b.size() - j;
}

/// Numbers in the order of a key: ascending or descending, what is not a number last.
std::uint64_t orderedBits(double key, bool falling) {
    if (std::isnan(key))
        return std::numeric_limits<std::uint64_t>::max();
    const double value = falling ? -key : key;
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0); // one zero
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

} // namespace

std::vector<double> idRanks(const EmbeddingSet& set) {
    std::vector<std::string> ids(set.rows());
    for (std::size_t row = 0; row < ids.size(); ++row)
        ids[row] = set.idText(row);
    std::vector<std::uint32_t> order(ids.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return naturallyLess(ids[a], ids[b]); });
    std::vector<double> ranks(ids.size());
    for (std::size_t at = 0; at < order.size(); ++at)
        ranks[order[at]] =
            at > 0 && ids[order[at]] == ids[order[at - 1]] ? ranks[order[at - 1]] : static_cast<double>(at);
    return ranks;
}

TieOrder tieOrder(const SampleOrder& order) {
    // A p-value has few steps, and the statistic behind it has many. PCE rises with the distance that
    // `p_unrealistic` is about.
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kStatistics{
        {{"p_copy", "copy_ratio"},
         {"p_over_represented", "log_density_ratio"},
         {"p_unrealistic", "pce"},
         {"evidence", "copy_ratio"}, // equal copies are infinitely evident
         {"coverage_ratio", "nearest_synthetic_distance"}}};
    const Column* column = findColumn(order.column);
    const auto* statistic = std::ranges::find(kStatistics, order.column, &decltype(kStatistics)::value_type::first);
    TieOrder tie{order.side == Side::Real ? "coverage_ratio" : "evidence"};
    if (statistic != kStatistics.end())
        tie.column = statistic->second;
    else if (column != nullptr && !column->thenBy.empty())
        tie.column = column->thenBy;
    const bool falling = order.direction == SortDirection::Descending;
    const bool worstFirst =
        column == nullptr || column->better == Direction::Neutral || (column->better == Direction::Higher) != falling;
    const Column* ties = findColumn(tie.column);
    if (ties != nullptr && (ties->better == Direction::Lower) == worstFirst)
        tie.direction = SortDirection::Descending;
    return tie;
}

std::vector<double> rowNumbers(std::size_t rows) {
    std::vector<double> numbers(rows);
    std::iota(numbers.begin(), numbers.end(), 0.0);
    return numbers;
}

// The upper halves of the keys by digits, and then what shares an upper half.
void sortByKey(std::vector<std::uint32_t>& rows, std::span<const double> keys, SortDirection direction) {
    const bool falling = direction == SortDirection::Descending;
    struct Entry {
        std::uint32_t high;
        std::uint32_t row;
    };
    constexpr int kBits = 11;
    constexpr int kPasses = 3; // of 32 bits
    constexpr std::size_t kDigits = std::size_t{1} << kBits;
    const auto digit = [](std::uint32_t high, int pass) { return high >> (pass * kBits) & (kDigits - 1); };
    std::vector<Entry> entries;
    entries.reserve(rows.size());
    std::array<std::array<std::uint32_t, kDigits>, kPasses> counts{};
    for (const std::uint32_t row : rows) {
        const auto high = static_cast<std::uint32_t>(orderedBits(keys[row], falling) >> 32);
        entries.push_back({high, row});
        for (int pass = 0; pass < kPasses; ++pass)
            ++counts[static_cast<std::size_t>(pass)][digit(high, pass)];
    }
    std::vector<Entry> sorted(entries.size());
    for (int pass = 0; pass < kPasses; ++pass) {
        auto& begins = counts[static_cast<std::size_t>(pass)];
        if (std::ranges::find(begins, entries.size()) != begins.end())
            continue; // all have the same digit
        std::uint32_t at = 0;
        for (std::uint32_t& begin : begins)
            at += std::exchange(begin, at);
        for (const Entry& entry : entries)
            sorted[begins[digit(entry.high, pass)]++] = entry;
        entries.swap(sorted);
    }
    const auto before = [&](const Entry& a, const Entry& b) {
        return orderedBits(keys[a.row], falling) < orderedBits(keys[b.row], falling);
    };
    for (auto from = entries.begin(); from != entries.end();) {
        const auto to = std::find_if(from, entries.end(), [&](const Entry& e) { return e.high != from->high; });
        if (!std::is_sorted(from, to, before))
            std::stable_sort(from, to, before);
        from = to;
    }
    for (std::size_t at = 0; at < rows.size(); ++at)
        rows[at] = entries[at].row;
}

} // namespace assay
