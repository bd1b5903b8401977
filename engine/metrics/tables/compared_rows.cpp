#include "engine/metrics/tables/compared_rows.h"

#include "engine/base/mixed_bits.h"
#include "engine/base/parallel.h"
#include "engine/io/files/row_hash.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace assay {

ComparedRows inContentOrder(MatrixView set, std::span<const std::uint32_t> rows, std::uint64_t seed, unsigned threads) {
    ComparedRows compared{set, {rows.begin(), rows.end()}};
    if (rows.empty()) {
        compared.rows.resize(set.rows);
        std::iota(compared.rows.begin(), compared.rows.end(), 0U);
    }
    using Key = std::pair<std::uint64_t, std::uint32_t>; // hash, row
    std::vector<Key> order(compared.rows.size());
    constexpr std::size_t kRowsAtOnce = 512;
    parallelRanges(order.size(), kRowsAtOnce, threads, {}, [&](std::size_t first, std::size_t last, unsigned) {
        for (std::size_t at = first; at < last; ++at) {
            std::uint64_t hash = 0;
            for (const float value : compared.row(at)) // -0 + 0 is 0
                hash = rowHashWith(hash, std::bit_cast<std::uint32_t>(value + 0.0F));
            order[at] = {mixedBits(hash ^ mixedBits(seed)), compared.rows[at]};
        }
    });
    std::ranges::sort(order);
    // Equal rows are spread, so that the first rows are a sample of all.
    std::uint64_t hash = 0;
    std::uint64_t before = 0; // rows with this hash
    for (Key& key : order) {
        before = key.first == hash ? before + 1 : 0;
        hash = key.first;
        key.first = mixedBits(hash + before * kSplitMixStep);
    }
    std::ranges::sort(order);
    std::ranges::transform(order, compared.rows.begin(), &Key::second);
    return compared;
}

} // namespace assay
