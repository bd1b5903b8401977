#pragma once

#include "engine/base/host_device.h"
#include "engine/gpu/device/bounds.h"
#include "engine/layout/layout_step.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::cuda {

// Plain views of the device memory of a pass, passed to kernels by value. Pointers are into device memory.

/// Row number of an empty table entry. Its distance is the double whose bytes are all kFarByte.
constexpr std::uint32_t kNoNeighbor = ~std::uint32_t{0};
/// A float or double of these bytes is larger than any distance.
constexpr int kFarByte = 0x7F;

/// A pair for which the bounds do not decide whether it is in a ball. The top bit of `x` is set for the ball around x,
/// that of `y` for the ball around y.
struct UndecidedPair {
    std::uint32_t x, y;
};
constexpr std::uint32_t kUndecidedBall = 0x80000000U;
/// Row numbers have 31 bits.
constexpr std::uint32_t kMaxRows = kUndecidedBall - 1;

/// Counters of one set, `rows` values each, in this order.
enum class Counter : unsigned {
    Inside,      ///< rows of the other set in the ball around this row
    InsideInner, ///< the same for the inner ball
    Held,        ///< balls of the other set that hold this row
    HeldInner,   ///< inner balls of the other set that hold it
};
constexpr unsigned kCounters = 4;

/// The bounds of consecutive rows (bounds.h), an array of each.
struct RowTermArrays {
    float* step = nullptr; ///< null where none are stored
    float* term = nullptr;
    float* slack = nullptr;
    float* residual = nullptr;

    ASSAY_HOST_DEVICE_MEMBER EstimateTerms estimate(std::size_t row) const { return {step[row], term[row]}; }
};

/// State of one set in a pass, for all of its rows.
struct SetState {
    std::uint32_t rows = 0;
    RowTermArrays terms;

    std::uint32_t k = 0;             ///< neighbours per row in the other set; 0: no lists
    std::uint32_t capacity = 0;      ///< entries of a list
    std::uint32_t measureAbove = 0;  ///< lists with more entries are measured between regions
    float* reach = nullptr;          ///< upper bound of the distance of the k-th neighbour, scaled
    std::uint32_t* count = nullptr;  ///< entries in each list; while tiles run also those that did not fit
    std::uint32_t* before = nullptr; ///< the same before the current region
    std::uint8_t* level = nullptr;   ///< depth of repeated regions that a row takes part in
    Candidate* list = nullptr;       ///< rows x capacity
    std::uint32_t* index = nullptr;  ///< rows x k: the nearest measured so far, ascending
    double* distance = nullptr;      ///< rows x k; of kFarByte where there is none yet

    double* radius = nullptr;          ///< of the closed ball around each row; null for no balls
    double* innerRadius = nullptr;     ///< of a smaller one; or null
    float* ballReach = nullptr;        ///< upper bound of the radius: pairs beyond it are outside
    float* ballSure = nullptr;         ///< lower bound of the smallest radius: pairs within it are inside both balls
    std::uint32_t* counters = nullptr; ///< kCounters x rows

    ASSAY_HOST_DEVICE std::size_t counterAt(Counter which, std::size_t row) const {
        return static_cast<std::size_t>(which) * rows + row;
    }
};

/// Consecutive rows of a set whose values are in device memory.
struct DeviceRows {
    const float* rows = nullptr;        ///< count x dim, as stored
    const std::byte* operand = nullptr; ///< x' (bounds.h): padded count x padded columns, padded with zeros
    std::uint32_t first = 0;            ///< number of the first row
    std::uint32_t count = 0;
};

/// Pairs of a range of rows of one block and a range of rows of another, numbered within the blocks. Begins are
/// multiples of kTileEdge.
struct Region {
    std::uint32_t xBegin = 0, xEnd = 0;
    std::uint32_t yBegin = 0, yEnd = 0;
};
/// Blocks and regions begin at multiples of this; so do tiles, the parts of a region that are multiplied at a time.
constexpr std::uint32_t kTileEdge = 256;

/// The results that the tiles of a region compute.
struct Wanted {
    bool neighbors = true;
    bool balls = true;
    std::uint8_t level = 0; ///< 0: every row takes part; otherwise those of at least this level
};

/// Outcome of a region.
struct Report {
    std::uint32_t overflowX, overflowY;     ///< lists that overflowed and were restored
    std::uint32_t unmeasuredX, unmeasuredY; ///< lists of more than measureAbove entries
    std::uint32_t longest;                  ///< entries in the longest list
    std::uint32_t unused;
    unsigned long long undecided; ///< undecided pairs, of which undecidedCapacity are stored
};

/// One region of tiles.
struct RegionJob {
    SetState x, y;
    DeviceRows a, b;
    Region region;
    Wanted wanted;
    std::uint32_t dim = 0;
    std::uint32_t paddedDim = 0;
    Precision precision = Precision::Integer;
    void* products = nullptr;      ///< room for the products of a tile: 32-bit integers or floats
    std::size_t productValues = 0; ///< that fit there, at least kTileEdge * kTileEdge
    bool sameSet = false;          ///< x and y are one set: a row is not its own neighbour
    bool diagonal = false;         ///< a and b are the same block: pairs of the upper triangle alone
    UndecidedPair* undecided = nullptr;
    std::uint32_t undecidedCapacity = 0;
    Report* report = nullptr;
};

/// Prunes the lists of consecutive rows (Device::startRegion).
struct PruneJob {
    SetState set, other;
    std::uint32_t first = 0, count = 0; ///< rows of the set
    Wanted wanted;
    std::uint32_t* overflow = nullptr; ///< counters of the region's report
    std::uint32_t* unmeasured = nullptr;
    std::uint32_t* longest = nullptr;
};

/// Most rows of a sample: the bounds of one row with all of them are kept in shared memory.
constexpr std::uint32_t kMaxSamples = 16384;

/// Some rows of a set.
struct SampledRows {
    std::uint32_t count = 0;        ///< 0: no sample
    std::byte* operand = nullptr;   ///< x': count (padded to kTileEdge) x padded columns
    std::uint32_t* index = nullptr; ///< numbers of the rows
    RowTermArrays terms;
};

/// Lowers reaches by a sample of the other set.
struct ReachJob {
    SetState x;
    DeviceRows a;
    std::uint32_t begin = 0, end = 0; ///< rows of the block, at most as many as fit `bounds`
    SampledRows sample;
    std::uint32_t paddedDim = 0;
    Precision precision = Precision::Integer;
    bool sameSet = false;
    /// Room for products, which become bounds of the pairs' distances, in floats: (end - begin, padded to kTileEdge) x
    /// (sample.count, padded).
    void* bounds = nullptr;
};

/// Measures entries of lists.
struct MeasureJob {
    SetState x;
    DeviceRows a;                             ///< of the rows whose lists are measured
    std::uint32_t begin = 0, end = 0;         ///< rows of the block
    const float* base = nullptr;              ///< stored values of the other set's rows baseFirst to baseEnd
    std::uint32_t baseFirst = 0, baseEnd = 0; ///< entries among these rows are measured, others stay in the list
    std::uint32_t above = 0;                  ///< only lists of more entries than this
    std::uint32_t longest = 0;                ///< no list is longer
    std::uint32_t dim = 0;
    double scale = 1.0;
};

/// Lists the pairs of two sets of rows that the limits of the first one's rows admit. Operands are of integers.
struct PairJob {
    const std::byte* x = nullptr; ///< operand: rows of whole tiles x padded columns
    const std::byte* y = nullptr;
    Region region;
    std::uint32_t paddedDim = 0;
    const float* stepX = nullptr; ///< one per row, as all that follow
    const float* termX = nullptr;
    const PruningLimit* limit = nullptr;
    const float* stepY = nullptr;
    const float* termY = nullptr;
    const RowBounds* bounds = nullptr; ///< of y
    void* products = nullptr;          ///< as in RegionJob
    std::size_t productValues = 0;
    PairHit* hits = nullptr;
    std::uint32_t capacity = 0;          ///< hits that fit
    unsigned long long* count = nullptr; ///< of hits, also of those that do not fit
};

/// Makes the operand x' of a block's rows, and their bounds.
struct PrepareJob {
    const float* rows = nullptr; ///< count x dim
    std::uint32_t count = 0;
    std::uint32_t padded = 0; ///< rows of `operand`; those from count on are set to zero
    std::uint32_t dim = 0;
    std::uint32_t paddedDim = 0;
    const float* centre = nullptr; ///< dim values, scaled
    double scale = 1.0;
    Precision precision = Precision::Integer;
    std::byte* operand = nullptr;
    RowTermArrays terms; ///< from the block's first row on; null where they are known
};

/// Divides a region into tiles whose products fit into `values`, at least kTileEdge * kTileEdge. Tiles begin at
/// multiples of kTileEdge. Of a region on the diagonal of one block, tiles that lie below the diagonal are left out.
std::vector<Region> tilesOf(const Region& region, bool diagonal, std::size_t values);

/// Rows of whole tiles that hold this many.
ASSAY_HOST_DEVICE constexpr std::size_t wholeTiles(std::size_t rows) noexcept {
    return (rows + kTileEdge - 1) / kTileEdge * kTileEdge;
}

// Arguments of the dense kernels, shared by host and device. Pointers are into device memory.

/// Rows of a slice. Sums over rows are computed slice by slice, and the slices' sums added in the order of the rows: no
/// sum depends on how many rows are in device memory at a time.
constexpr std::uint32_t kSliceRows = 512;

/// Edge of a tile of a Gram matrix, in columns.
constexpr std::uint32_t kGramTile = 64;

ASSAY_HOST_DEVICE std::uint32_t slicesOf(std::uint32_t rows) {
    return (rows + kSliceRows - 1) / kSliceRows;
}

/// Number of tiles in the lower triangle of a Gram matrix.
ASSAY_HOST_DEVICE std::uint32_t gramTiles(std::uint32_t dim) {
    const std::uint32_t edge = (dim + kGramTile - 1) / kGramTile;
    return edge * (edge + 1) / 2;
}

/// Row of a tile of the lower triangle; tiles are numbered row by row.
ASSAY_HOST_DEVICE std::uint32_t gramTileRow(std::uint32_t tile) {
    return static_cast<std::uint32_t>((squareRoot(8.0 * tile + 1.0) - 1.0) / 2.0);
}

/// Adds the rows x_r to the Gram matrix of y_r = x_r * scale[r] - mean.
struct GramJob {
    const float* rows = nullptr;   ///< count x dim
    const double* scale = nullptr; ///< of these rows; null for 1
    const double* mean = nullptr;  ///< dim
    std::uint32_t count = 0;       ///< multiple of kSliceRows, except for the set's last rows
    std::uint32_t dim = 0;
    double* parts = nullptr;   ///< scratch memory: slices x tiles x kGramTile^2
    double* product = nullptr; ///< dim x dim, of which the lower triangle is added to
};

/// An element of y.
ASSAY_HOST_DEVICE double gramElement(float x, double scale, double mean) {
    return plus(times(static_cast<double>(x), scale), -mean);
}

/// One round of a layout.
struct LayoutJob {
    LayoutRound round;
    LayoutPosition* to = nullptr;
};

} // namespace assay::cuda
