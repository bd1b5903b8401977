#include "engine/data/equal_rows.h"

#include "engine/base/parallel.h"

#include <algorithm>
#include <bit>

namespace assay {
namespace {

constexpr std::size_t kValuesAtOnce = std::size_t{1} << 20;

/// A row of one of the sets.
struct HashedRow {
    std::uint64_t hash = 0;
    std::uint32_t set = 0;
    std::uint32_t row = 0;
};

/// @param columns empty: all
std::uint64_t hashOf(std::span<const float> row, std::span<const std::uint32_t> columns) {
    std::uint64_t hash = 0;
    const auto add = [&hash](float value) { // -0 + 0 is 0
        hash = rowHashWith(hash, std::bit_cast<std::uint32_t>(value + 0.0F));
    };
    if (columns.empty())
        std::ranges::for_each(row, add);
    for (const std::uint32_t column : columns)
        add(row[column]);
    return hash;
}

bool areEqual(std::span<const float> a, std::span<const float> b, std::span<const std::uint32_t> columns) {
    return columns.empty() ? std::ranges::equal(a, b)
                           : std::ranges::all_of(columns, [&](std::uint32_t column) { return a[column] == b[column]; });
}

std::vector<HashedRow> hashRows(std::span<const MatrixView> sets, std::span<const std::uint32_t> columns,
                                const ComputeContext& context) {
    std::vector<HashedRow> hashed;
    for (std::size_t set = 0; set < sets.size(); ++set) {
        const MatrixView values = sets[set];
        const std::size_t before = hashed.size();
        hashed.resize(before + values.rows);
        const std::size_t rowsAtOnce = std::max<std::size_t>(1, kValuesAtOnce / std::max<std::size_t>(1, values.dim));
        parallelRanges(values.rows, rowsAtOnce, context.threads, context.job.silent(),
                       [&](std::size_t row, std::size_t last, unsigned) {
                           for (; row < last; ++row)
                               hashed[before + row] = {hashOf(values.row(row), columns),
                                                       static_cast<std::uint32_t>(set),
                                                       static_cast<std::uint32_t>(row)};
                       });
    }
    return hashed;
}

} // namespace

std::vector<std::uint32_t> EqualRows::countsOf(std::size_t set) const {
    std::vector<std::uint32_t> counts(groups, 0);
    for (const std::uint32_t one : group[set])
        ++counts[one];
    return counts;
}

DistinctRows EqualRows::distinct(std::size_t set) const {
    constexpr std::uint32_t kNone = ~std::uint32_t{0};
    DistinctRows rows;
    std::vector<std::uint32_t> place(groups, kNone);
    for (std::uint32_t at = 0; at < group[set].size(); ++at) {
        std::uint32_t& first = place[group[set][at]];
        if (first == kNone) {
            first = static_cast<std::uint32_t>(rows.row.size());
            rows.row.push_back(at);
            rows.times.push_back(0);
        }
        rows.of.push_back(first);
        ++rows.times[first];
    }
    return rows;
}

EqualRows groupEqualRows(std::span<const MatrixView> sets, const ComputeContext& context,
                         std::span<const std::uint32_t> columns) {
    std::vector<HashedRow> rows = hashRows(sets, columns, context);
    context.job.throwIfStopped();
    std::ranges::stable_sort(rows, {}, &HashedRow::hash);
    EqualRows equal;
    for (const MatrixView& set : sets)
        equal.group.emplace_back(set.rows);
    const auto valuesOf = [&](const HashedRow& row) { return sets[row.set].row(row.row); };
    std::vector<HashedRow> firsts; // one row of each group with the present hash
    std::size_t firstGroup = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i == 0 || rows[i].hash != rows[i - 1].hash) {
            firsts.clear();
            firstGroup = equal.groups;
        }
        const auto same = std::ranges::find_if(
            firsts, [&](const HashedRow& first) { return areEqual(valuesOf(first), valuesOf(rows[i]), columns); });
        equal.group[rows[i].set][rows[i].row] =
            static_cast<std::uint32_t>(firstGroup + static_cast<std::size_t>(same - firsts.begin()));
        if (same == firsts.end()) {
            firsts.push_back(rows[i]);
            ++equal.groups;
        }
    }
    return equal;
}

} // namespace assay
