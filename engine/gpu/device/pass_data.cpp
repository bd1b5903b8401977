#include "engine/gpu/device/pass_data.h"

#include <algorithm>

namespace assay::cuda {

std::vector<Region> tilesOf(const Region& region, bool diagonal, std::size_t values) {
    // Wide tiles let the selection read long pieces of a row; more rows let a product use the whole card.
    constexpr std::size_t kMaxAcross = 8192;
    const auto fit = [](std::size_t wanted, std::size_t most) {
        return std::min(wholeTiles(wanted), std::max<std::size_t>(kTileEdge, most / kTileEdge * kTileEdge));
    };
    const auto columns = fit(region.yEnd - region.yBegin, std::min(kMaxAcross, values / kTileEdge));
    const auto rows = fit(region.xEnd - region.xBegin, values / columns);
    std::vector<Region> tiles;
    for (std::size_t x = region.xBegin; x < region.xEnd; x += rows)
        for (std::size_t y = region.yBegin; y < region.yEnd; y += columns) {
            const Region tile{static_cast<std::uint32_t>(x),
                              static_cast<std::uint32_t>(std::min<std::size_t>(region.xEnd, x + rows)),
                              static_cast<std::uint32_t>(y),
                              static_cast<std::uint32_t>(std::min<std::size_t>(region.yEnd, y + columns))};
            if (!diagonal || tile.xBegin < tile.yEnd)
                tiles.push_back(tile);
        }
    return tiles;
}

} // namespace assay::cuda
