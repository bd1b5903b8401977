#pragma once

#include "engine/gpu/device/pass_data.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace assay::cuda {

/// What a pass over all pairs is about, as far as memory depends on it.
struct PassShape {
    std::size_t rowsX = 0;
    std::size_t rowsY = 0; ///< 0: pairs within x
    std::size_t dim = 0;
    std::size_t kX = 0; ///< neighbours per row of x
    std::size_t kY = 0;
    bool ballsX = false, innerBallsX = false, ballsY = false;

    bool self() const noexcept { return rowsY == 0; }
};

/// How a pass is cut up. Blocks of rows are searched in pairs; a pair of blocks is one piece of work.
struct PassPlan {
    std::uint32_t blockRows = 0; ///< multiple of kTileEdge
    std::uint32_t blocksX = 0;
    std::uint32_t blocksY = 0; ///< 0 for a pass within one set
    std::uint32_t slotsX = 0;  ///< blocks of x in device memory at a time; all of them: the set is loaded once
    std::uint32_t slotsY = 0;
    std::uint32_t capacity = 0;      ///< entries of a list
    std::uint32_t settleAbove = 0;   ///< entries that a list may have between regions
    std::uint32_t sampleRows = 0;    ///< rows that reaches are first lowered by, at most
    std::uint32_t primeRows = 0;     ///< rows that are primed at a time, multiple of kTileEdge
    std::uint32_t doubtCapacity = 0; ///< pairs in doubt at a time, at least one tile's
    std::size_t bytes = 0;           ///< device memory in all, in one piece

    bool resident() const noexcept { return slotsX == blocksX && slotsY == blocksY; }
};

/// More neighbours than this are left to the CPU: a list's table is sorted in a multiprocessor's own memory.
constexpr std::size_t kMostNeighbors = 1024;

/// Whether a pass can be run on a device at all, whatever its memory.
bool fitsKernels(const PassShape& shape) noexcept;

/// The fastest plan within `budget` bytes: the longest lists, then both sets whole, then blocks that come and go, ever
/// smaller. Nothing when even the smallest does not fit.
/// @param mostBlockRows 0: what suits the work
std::optional<PassPlan> planPass(const PassShape& shape, std::size_t budget, std::uint32_t mostBlockRows = 0);

/// Two blocks that are searched together. Within one set x <= y.
struct Piece {
    std::uint32_t x = 0, y = 0;
    friend bool operator==(const Piece&, const Piece&) = default;
};

/// All pieces of a plan, each once, in an order in which each needs at most one block that the one before it did not.
std::vector<Piece> piecesOf(const PassPlan& plan);

/// Cuts the pieces into consecutive shares of about the same work.
std::vector<std::vector<Piece>> sharesOf(const std::vector<Piece>& pieces, std::size_t devices);

/// Halves a region's rows (x), columns (y) or both at a multiple of kTileEdge; a side of one tile stays. The pairs of
/// the parts are those of the region, each once. Of a region on the diagonal (both ranges the same) both sides are
/// halved, and the part below the diagonal is left out.
std::vector<Region> splitRegion(const Region& region, bool onDiagonal, bool halveX, bool halveY);

} // namespace assay::cuda
