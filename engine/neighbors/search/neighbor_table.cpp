#include "engine/neighbors/search/neighbor_table.h"

#include <limits>

namespace assay {

NeighborTable noNeighbors(std::size_t queries, std::size_t k) {
    return {k, std::vector<std::uint32_t>(queries * k, kNoNeighbor),
            std::vector<double>(queries * k, std::numeric_limits<double>::infinity())};
}

NeighborTable nearestOf(const NeighborTable& x, const NeighborTable& y) {
    NeighborTable both = noNeighbors(x.rows(), x.k);
    const std::size_t k = x.k;
    for (std::size_t q = 0; q < x.rows(); ++q) {
        std::size_t fromX = 0;
        std::size_t fromY = 0;
        for (std::size_t rank = 0; rank < k; ++rank) {
            // Neither runs out: each takes at most one step per rank, and equal entries are taken together.
            const Measured nextX{x.distanceAt(q, fromX), x.indexAt(q, fromX)};
            const Measured nextY{y.distanceAt(q, fromY), y.indexAt(q, fromY)};
            const bool takeX = !(nextY < nextX);
            const bool takeY = !(nextX < nextY);
            const Measured& next = takeX ? nextX : nextY;
            both.distance[q * k + rank] = next.distance;
            both.index[q * k + rank] = next.index;
            fromX += takeX ? 1 : 0;
            fromY += takeY ? 1 : 0;
        }
    }
    return both;
}

} // namespace assay
