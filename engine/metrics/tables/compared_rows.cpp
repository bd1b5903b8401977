#include "engine/metrics/tables/compared_rows.h"

#include "engine/metrics/tables/content_order.h"

namespace assay {

ComparedRows inContentOrder(MatrixView set, std::span<const std::uint32_t> rows, std::uint64_t seed, unsigned threads) {
    return {set, contentOrder(set, rows, seed, threads)};
}

} // namespace assay
