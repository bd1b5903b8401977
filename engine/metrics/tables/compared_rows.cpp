#include "engine/metrics/tables/compared_rows.h"

#include "engine/base/mixed_bits.h"
#include "engine/base/parallel.h"
#include "engine/data/equal_rows.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace assay {
namespace {

/// Sorts rows by hashOf(row), a hash of their values, mixed with the seed. Rows of one hash are spread, so that the
/// first rows are a sample of all: each is mixed with the number of them before it.
template <typename HashOf>
void sortByHash(std::vector<std::uint32_t>& rows, std::uint64_t seed, unsigned threads, HashOf hashOf) {
    using Key = std::pair<std::uint64_t, std::uint32_t>; // hash, row
    std::vector<Key> order(rows.size());
    constexpr std::size_t kRowsAtOnce = 512;
    parallelRanges(order.size(), kRowsAtOnce, threads, {}, [&](std::size_t first, std::size_t last, unsigned) {
        for (std::size_t at = first; at < last; ++at)
            order[at] = {mixedBits(hashOf(rows[at]) ^ mixedBits(seed)), rows[at]};
    });
    std::ranges::sort(order);
    std::uint64_t hash = 0;
    std::uint64_t before = 0;
    for (Key& key : order) {
        before = key.first == hash ? before + 1 : 0;
        hash = key.first;
        key.first = mixedBits(hash + before * kSplitMixStep);
    }
    std::ranges::sort(order);
    std::ranges::transform(order, rows.begin(), &Key::second);
}

std::uint64_t hashWith(std::uint64_t hash, float value) {
    return rowHashWith(hash, std::bit_cast<std::uint32_t>(value + 0.0F)); // -0 + 0 is 0
}

std::vector<std::uint32_t> allRows(MatrixView set) {
    std::vector<std::uint32_t> rows(set.rows);
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
}

} // namespace

ComparedRows inContentOrder(MatrixView set, std::span<const std::uint32_t> rows, std::uint64_t seed, unsigned threads) {
    return {set, contentOrder(set, rows, seed, threads)};
}

std::vector<std::uint32_t> contentOrder(MatrixView set, std::span<const std::uint32_t> rows, std::uint64_t seed,
                                        unsigned threads) {
    std::vector<std::uint32_t> order = rows.empty() ? allRows(set) : std::vector(rows.begin(), rows.end());
    sortByHash(order, seed, threads, [&](std::uint32_t row) {
        const auto values = set.row(row);
        return std::accumulate(values.begin(), values.end(), std::uint64_t{0}, hashWith);
    });
    return order;
}

std::vector<std::uint32_t> contentOrderBy(MatrixView set, std::span<const std::uint32_t> columns, std::uint64_t seed,
                                          unsigned threads) {
    std::vector<std::uint32_t> order = allRows(set);
    sortByHash(order, seed, threads, [&](std::uint32_t row) {
        std::uint64_t hash = 0;
        for (const std::uint32_t column : columns)
            hash = hashWith(hash, set.rowData(row)[column]);
        return hash;
    });
    return order;
}

} // namespace assay
