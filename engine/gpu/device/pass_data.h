#pragma once

#include "engine/base/host_device.h"

#include <cstddef>
#include <cstdint>

namespace assay::cuda {

// Plain views of what a pass keeps in device memory. A kernel takes one of them by value; a pointer in them is of the
// device's memory, whatever that is.

/// A row that may be a neighbour: the estimate of its squared distance (bounds.h) and its number.
struct Proposal {
    float estimate;
    std::uint32_t index;
};

/// Stands for a neighbour that is not known yet. Its distance is the number whose bytes are all kFarByte.
constexpr std::uint32_t kNobody = ~std::uint32_t{0};
/// Floats and doubles of this byte are further than anything.
constexpr int kFarByte = 0x7F;

/// A pair that may or may not be in a ball. The top bit of `x` says that it is about the ball around x, of `y`
/// likewise.
struct Doubt {
    std::uint32_t x, y;
};
constexpr std::uint32_t kDoubtful = 0x80000000U;
/// Rows are numbered in 31 bits.
constexpr std::uint32_t kMostRows = kDoubtful - 1;

/// Counters of one set, each `rows` long and one after the other.
enum class Counter : unsigned {
    Inside,      ///< rows of the other set in the ball around this row
    InsideInner, ///< the same for the inner ball
    Held,        ///< balls of the other set that hold this row
    HeldInner,   ///< inner balls of the other set that hold it
};
constexpr unsigned kCounters = 4;

/// Everything a pass keeps of one set, over all its rows.
struct SetState {
    std::uint32_t rows = 0;
    float* term = nullptr;     ///< bounds of each row (RowTerms)
    float* slack = nullptr;    ///< likewise
    float* residual = nullptr; ///< likewise

    std::uint32_t k = 0;             ///< neighbours wanted in the other set; 0 for none, and no lists
    std::uint32_t capacity = 0;      ///< entries of a list
    std::uint32_t settleAbove = 0;   ///< longer lists are measured between regions
    float* reach = nullptr;          ///< k rows of the other set are within it
    std::uint32_t* count = nullptr;  ///< entries in each list; while tiles run, how many were offered
    std::uint32_t* before = nullptr; ///< the same before the region at hand
    std::uint8_t* level = nullptr;   ///< how deep in a repetition a row takes part
    Proposal* list = nullptr;        ///< rows x capacity
    std::uint32_t* index = nullptr;  ///< rows x k: the nearest that were measured, ascending
    double* distance = nullptr;      ///< rows x k; infinite where there is none yet

    const double* radius = nullptr;      ///< closed ball around each row; null for no balls
    const double* innerRadius = nullptr; ///< a smaller one; or null
    float* ballReach = nullptr;          ///< what it does not admit is outside the ball
    float* ballSure = nullptr;           ///< what is within it is inside both balls
    std::uint32_t* counters = nullptr;   ///< kCounters x rows

    ASSAY_HOST_DEVICE std::size_t counterAt(Counter which, std::size_t row) const {
        return static_cast<std::size_t>(which) * rows + row;
    }
};

/// Consecutive rows of a set whose values are in device memory.
struct Block {
    const float* rows = nullptr;            ///< count x dim, as stored
    const std::uint16_t* rounded = nullptr; ///< padded count x padded columns, in bfloat16; what is beyond is zero
    std::uint32_t first = 0;                ///< number of the first row
    std::uint32_t count = 0;
};

/// Some rows of one block against some of another, counted within the blocks. Begins are multiples of kTileEdge.
struct Region {
    std::uint32_t xBegin = 0, xEnd = 0;
    std::uint32_t yBegin = 0, yEnd = 0;
};
/// Blocks and regions begin at multiples of this: the longer side of a tile.
constexpr std::uint32_t kTileEdge = 256;

/// What a region's tiles are to serve.
struct Wanted {
    bool neighbors = true;
    bool balls = true;
    std::uint8_t level = 0; ///< 0: every row takes part; else those of at least this level
};

/// How a region went.
struct Report {
    std::uint32_t overflowX, overflowY;   ///< lists that were too short: rolled back, their rows' level raised
    std::uint32_t unsettledX, unsettledY; ///< lists longer than settleAbove
    std::uint32_t longest;                ///< entries in the longest list
    std::uint32_t unused;
    unsigned long long doubts; ///< pairs in doubt, of which as many as fit are listed
};

/// One region of tiles.
struct RegionJob {
    SetState x, y;
    Block a, b;
    Region region;
    Wanted wanted;
    std::uint32_t dim = 0;
    std::uint32_t paddedDim = 0;
    bool sameSet = false;  ///< x and y are one set: a row is not its own neighbour
    bool diagonal = false; ///< the same block of it: each pair once, from the upper triangle
    Doubt* doubts = nullptr;
    std::uint32_t doubtCapacity = 0;
    Report* report = nullptr;
};

/// Rows of a sample at most: the bounds of one row with all of them are sorted in a multiprocessor's memory.
constexpr std::uint32_t kMostSamples = 16384;

/// Lowering reaches by a sample of the other set.
struct PrimeJob {
    SetState x;
    Block a;
    std::uint32_t begin = 0, end = 0;           ///< rows of the block, at most as many as fit `bounds`
    const std::uint16_t* sample = nullptr;      ///< sampleRows (padded to kTileEdge) x padded columns
    const std::uint32_t* sampleIndex = nullptr; ///< numbers of the sampled rows
    const float* sampleTerm = nullptr;          ///< their bounds
    const float* sampleSlack = nullptr;         ///< likewise
    const float* sampleResidual = nullptr;      ///< likewise
    std::uint32_t sampleRows = 0;
    std::uint32_t paddedDim = 0;
    bool sameSet = false;
    float* bounds = nullptr; ///< (end - begin, padded to kTileEdge) x (sampleRows, padded): reaches of the pairs
};

/// Measuring what lists hold.
struct SettleJob {
    SetState x;
    Block a;                                  ///< of the rows whose lists are settled
    std::uint32_t begin = 0, end = 0;         ///< rows of the block
    const float* base = nullptr;              ///< stored values of the other set's rows baseFirst to baseEnd
    std::uint32_t baseFirst = 0, baseEnd = 0; ///< only entries among these are measured, the others stay listed
    std::uint32_t above = 0;                  ///< only lists of more entries than this
    std::uint32_t longest = 0;                ///< no list is longer
    std::uint32_t dim = 0;
    double scale = 1.0;
};

/// Rounding a block's rows.
struct PrepareJob {
    const float* rows = nullptr; ///< count x dim
    std::uint32_t count = 0;
    std::uint32_t padded = 0; ///< rows of `rounded`, those beyond count are set to zero
    std::uint32_t dim = 0;
    std::uint32_t paddedDim = 0;
    const float* centre = nullptr; ///< dim values, scaled
    double scale = 1.0;
    std::uint16_t* rounded = nullptr;
    float* term = nullptr; ///< of the block's first row; null to leave the bounds as they are
    float* slack = nullptr;
    float* residual = nullptr;
};

} // namespace assay::cuda
