#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace assay::cuda {

/// Assigns the blocks of a set to slots of device memory. With a slot for every block, block b has slot b.
class Slots {
public:
    Slots(std::uint32_t slots, std::uint32_t blocks) : block_(slots), lastUse_(slots, 0), known_(blocks, false) {}

    /// The slot that holds a block.
    std::optional<std::uint32_t> find(std::uint32_t block) const;

    struct Place {
        std::uint32_t slot;
        bool first; ///< the block is loaded for the first time
    };
    /// Assigns a slot to a block: its own, a free one or the least recently used.
    /// @param keep blocks that must not be replaced; fewer than there are slots
    Place assign(std::uint32_t block, const std::vector<std::uint32_t>& keep);

    void use(std::uint32_t slot) { lastUse_[slot] = ++time_; }

private:
    std::vector<std::optional<std::uint32_t>> block_; ///< of each slot
    std::vector<std::uint64_t> lastUse_;
    std::vector<bool> known_;
    std::uint64_t time_ = 0;
};

} // namespace assay::cuda
