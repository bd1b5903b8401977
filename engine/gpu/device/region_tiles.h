#pragma once

#include "engine/gpu/device/pass_data.h"

#include <cstddef>
#include <vector>

namespace assay::cuda {

/// Divides a region into tiles whose products fit into `values`, at least kTileEdge * kTileEdge. Tiles begin at
/// multiples of kTileEdge. Of a region on the diagonal of one block, tiles that lie below the diagonal are left out.
std::vector<Region> tilesOf(const Region& region, bool diagonal, std::size_t values);

/// Rows of whole tiles that hold this many.
ASSAY_HOST_DEVICE constexpr std::size_t wholeTiles(std::size_t rows) noexcept {
    return (rows + kTileEdge - 1) / kTileEdge * kTileEdge;
}

} // namespace assay::cuda
