#include "gui/report/page_breaks.h"

#include <algorithm>

namespace assay {
namespace {

/// The height of a block and of all that it has to stand on one page with.
double heightOfGroup(const PrintedBlocks& blocks, std::size_t first) {
    double height = blocks[first].height;
    for (std::size_t b = first; blocks[b].keepsWithNext && b + 1 < blocks.size() && !blocks[b + 1].beginsPage; ++b)
        height += blocks[b + 1].above + blocks[b + 1].height;
    return height;
}

} // namespace

std::vector<std::vector<PlacedBlock>> placeOnPages(const PrintedBlocks& blocks, double height) {
    std::vector<std::vector<PlacedBlock>> pages(1);
    double used = 0.0;
    const auto turn = [&] {
        pages.emplace_back();
        used = 0.0;
    };
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const PrintedBlock& block = blocks[b];
        const double wanted = block.above + block.height;
        const double group = heightOfGroup(blocks, b);
        // A group that no page holds is kept together as little as a block that no page holds.
        const bool fits = used + block.above + (group <= height ? group : block.height) <= height;
        if (!pages.back().empty() && (block.beginsPage || !fits))
            turn();
        if (!pages.back().empty()) {
            pages.back().push_back({b, used + block.above});
            used += wanted;
            continue;
        }
        const bool repeats = block.repeated && block.repeated->height + block.height <= height;
        used = repeats ? block.repeated->height : 0.0;
        pages.back().push_back({b, used, 0.0, repeats});
        double shown = std::min(block.height, height - used);
        used += shown;
        while (block.height - shown > 0.5) {
            turn();
            pages.back().push_back({b, 0.0, shown});
            used = std::min(block.height - shown, height);
            shown += used;
        }
    }
    return pages;
}

} // namespace assay
