#include "engine/gpu/device/measure.h"
#include "engine/gpu/search/pass.h"

#include <utility>

namespace assay::cuda {
namespace {

void addInto(std::vector<std::uint32_t>& total, std::vector<std::uint32_t> part) {
    if (total.empty()) {
        total = std::move(part);
        return;
    }
    for (std::size_t i = 0; i < part.size(); ++i)
        total[i] += part[i];
}

/// The k nearest of two tables without common entries; rows with fewer end with kNoNeighbor.
NeighborTable nearest(NeighborTable a, NeighborTable b, std::size_t rows) {
    if (a.index.empty())
        return b;
    if (b.index.empty())
        return a;
    const std::size_t k = a.k;
    NeighborTable table{k, std::vector<std::uint32_t>(rows * k), std::vector<double>(rows * k)};
    for (std::size_t row = 0; row < rows; ++row) {
        std::size_t fromA = row * k;
        std::size_t fromB = row * k;
        for (std::size_t rank = row * k; rank < (row + 1) * k; ++rank) {
            const bool first = standsBefore(a.distance[fromA], a.index[fromA], b.distance[fromB], b.index[fromB]);
            const NeighborTable& from = first ? a : b;
            std::size_t& at = first ? fromA : fromB;
            table.index[rank] = from.index[at];
            table.distance[rank] = from.distance[at];
            ++at;
        }
    }
    return table;
}

} // namespace

PassOutput merged(std::vector<PassOutput> parts, std::size_t rowsX, std::size_t rowsY) {
    PassOutput all = std::move(parts.front());
    for (std::size_t p = 1; p < parts.size(); ++p) {
        all.xToY = nearest(std::move(all.xToY), std::move(parts[p].xToY), rowsX);
        all.yToX = nearest(std::move(all.yToX), std::move(parts[p].yToX), rowsY);
        addInto(all.countersX, std::move(parts[p].countersX));
        addInto(all.countersY, std::move(parts[p].countersY));
    }
    return all;
}

} // namespace assay::cuda
