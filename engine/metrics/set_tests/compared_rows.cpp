#include "engine/metrics/set_tests/compared_rows.h"

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
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order(compared.rows.size());
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
    std::ranges::transform(order, compared.rows.begin(), &std::pair<std::uint64_t, std::uint32_t>::second);
    return compared;
}

} // namespace assay
