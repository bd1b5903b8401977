#pragma once

#include "gui/report/printed_block.h"

#include <cstddef>
#include <vector>

namespace assay {

/// A block, or a part of one that is higher than a page, at its place.
struct PlacedBlock {
    std::size_t block = 0;
    double top = 0.0;     ///< from the top of the page's text
    double skipped = 0.0; ///< of the block's height that pages before show
    bool repeats = false; ///< whether the block's `repeated` stands above it
};

/// Gives every block its place: in their order, none beyond the end of a page, and none that keeps with the next one
/// without it, as far as a page has room for both.
/// @param height of a page's text, above 0 @return the blocks of each page
std::vector<std::vector<PlacedBlock>> placeOnPages(const PrintedBlocks& blocks, double height);

} // namespace assay
