#pragma once

#include "engine/gpu/device/pass_data.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace assay::cuda {

/// Sizes of a pass that its memory depends on.
struct PassShape {
    std::size_t rowsX = 0;
    std::size_t rowsY = 0; ///< 0: pairs within x
    std::size_t dim = 0;
    std::size_t kX = 0; ///< neighbours per row of x
    std::size_t kY = 0;
    bool ballsX = false, innerBallsX = false, ballsY = false;
    Precision precision = Precision::Integer; ///< of products

    bool self() const noexcept { return rowsY == 0; }
};

/// Division of a pass into blocks of rows, which are searched in pairs.
struct PassPlan {
    std::uint32_t blockRows = 0; ///< multiple of kTileEdge
    std::uint32_t blocksX = 0;
    std::uint32_t blocksY = 0; ///< 0 for a pass within one set
    std::uint32_t slotsX = 0;  ///< blocks of x in device memory at a time; blocksX: the set is loaded once
    std::uint32_t slotsY = 0;
    std::uint32_t capacity = 0;          ///< entries of a list
    std::uint32_t measureAbove = 0;      ///< lists with more entries are measured between regions
    std::uint32_t sampleRows = 0;        ///< most rows of the sample that initialises reaches
    std::uint32_t reachRows = 0;         ///< rows whose reaches are initialised at a time, multiple of kTileEdge
    std::size_t productValues = 0;       ///< products at a time, at least those of one tile edge squared
    std::uint32_t undecidedCapacity = 0; ///< undecided pairs at a time, at least those of one tile
    std::size_t bytes = 0;               ///< device memory in all

    bool resident() const noexcept { return slotsX == blocksX && slotsY == blocksY; }
};

/// Products at a time: enough for the whole card (128 MiB).
constexpr std::size_t kMaxProducts = std::size_t{32} << 20;

/// Larger k is left to the CPU: a row's table is sorted in shared memory.
constexpr std::size_t kMaxNeighbors = 1024;

/// Whether the kernels support a pass, regardless of memory.
bool fitsKernels(const PassShape& shape) noexcept;

/// The fastest plan within `budget` bytes. Tried in order: both sets resident with ever shorter lists, then streamed
/// blocks, ever smaller. Nothing where the smallest plan does not fit.
/// @param mostBlockRows most rows of a block; 0: no limit but that of the planner
std::optional<PassPlan> planPass(const PassShape& shape, std::size_t budget, std::uint32_t mostBlockRows = 0);

/// Two blocks that are searched together. Within one set x <= y.
struct BlockPair {
    std::uint32_t x = 0, y = 0;
    friend bool operator==(const BlockPair&, const BlockPair&) = default;
};

/// All pairs of blocks of a plan, each once, ordered so that each pair shares a block with the one before.
std::vector<BlockPair> blockPairsOf(const PassPlan& plan);

/// Divides the pairs into consecutive shares of about equal work.
std::vector<std::vector<BlockPair>> sharesOf(const std::vector<BlockPair>& pairs, std::size_t devices);

/// Halves a region's rows (x), columns (y) or both at a multiple of kTileEdge; a side of one tile stays. The pairs of
/// the parts are those of the region, each once. Of a region on the diagonal (both ranges the same) both sides are
/// halved, and the part below the diagonal is left out.
std::vector<Region> splitRegion(const Region& region, bool onDiagonal, bool halveX, bool halveY);

/// Device memory of one set's blocks and sample.
struct SetPlace {
    float* rows = nullptr;        ///< slots x blockRows x dim
    std::byte* operand = nullptr; ///< slots x blockRows x padded columns
    SampledRows sample;           ///< none where the other set has no lists
    float* sampleRows = nullptr;  ///< the sampled rows as stored
    std::uint32_t* savedCounters = nullptr;
};

/// All device memory of a pass, divided from one allocation.
struct PassMemory {
    SetState x, y; ///< y is x itself in a pass within one set
    SetPlace placeX, placeY;
    float* centre = nullptr;
    void* products = nullptr; ///< plan.productValues; bounds of sampled pairs, too
    UndecidedPair* undecided = nullptr;
    Report* report = nullptr;
    std::size_t bytes = 0;

    /// @param base the memory, aligned to 256 bytes; null to compute `bytes` alone
    static PassMemory carve(const PassShape& shape, const PassPlan& plan, std::byte* base);
};

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
