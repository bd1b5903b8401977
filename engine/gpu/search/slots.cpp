#include "engine/gpu/search/slots.h"

#include <algorithm>

namespace assay::cuda {

std::optional<std::uint32_t> Slots::find(std::uint32_t block) const {
    const auto found = std::find(block_.begin(), block_.end(), std::optional(block));
    if (found == block_.end())
        return std::nullopt;
    return static_cast<std::uint32_t>(found - block_.begin());
}

Slots::Place Slots::assign(std::uint32_t block, const std::vector<std::uint32_t>& keep) {
    const auto held = [&](std::uint32_t slot) {
        return block_[slot] && std::find(keep.begin(), keep.end(), *block_[slot]) != keep.end();
    };
    std::uint32_t chosen = 0;
    if (block_.size() == known_.size()) {
        chosen = block;
    } else {
        std::optional<std::uint32_t> oldest;
        for (std::uint32_t slot = 0; slot < block_.size(); ++slot)
            if (!held(slot) && (!oldest || lastUse_[slot] < lastUse_[*oldest]))
                oldest = slot;
        chosen = oldest.value_or(0);
    }
    const bool first = !known_[block];
    known_[block] = true;
    block_[chosen] = block;
    use(chosen);
    return {chosen, first};
}

} // namespace assay::cuda
