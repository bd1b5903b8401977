#include "engine/math/products/float_panels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/math/products/float_panels.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, kFloatPanelWidth> kFloats;
constexpr std::size_t kLanes = hn::MaxLanes(kFloats);
constexpr std::size_t kPanelVectors = kFloatPanelWidth / kLanes;
// As many rows and panels at a time as there are registers for their sums.
constexpr std::size_t kRows = kPanelVectors == 1 ? kFloatTileRows : std::max<std::size_t>(4 / kPanelVectors, 1) * 2;
constexpr std::size_t kPanels = kPanelVectors == 1 ? kFloatPanelsAtOnce : 1;

/// Elements of a tile that are summed at once, over a chunk.
struct Part {
    std::size_t length;    ///< of the chunk
    const float* a;        ///< the first row's first element of the chunk
    const float* const* b; ///< the panels'
    double* tile;          ///< the first row's sums with the first panel
};

// Every sum stays in a register until the chunk is over. A function of its own: inside the loop over chunks the
// compiler keeps the tile on the stack as well.
template <std::size_t Panels>
HWY_NOINLINE void addPart(const Part& of) {
    using V = hn::Vec<decltype(kFloats)>;
    V sum[kRows][Panels * kPanelVectors];
    for (auto& row : sum)
        for (V& x : row)
            x = hn::Zero(kFloats);
    const float* b[Panels];
    std::copy_n(of.b, Panels, b);
    for (std::size_t k = 0; k < of.length; ++k) {
        V y[Panels * kPanelVectors];
#pragma GCC unroll 4
        for (std::size_t p = 0; p < Panels; ++p)
#pragma GCC unroll 4
            for (std::size_t v = 0; v < kPanelVectors; ++v)
                y[p * kPanelVectors + v] = hn::LoadU(kFloats, b[p] + k * kFloatPanelWidth + v * kLanes);
#pragma GCC unroll 8
        for (std::size_t r = 0; r < kRows; ++r) {
            const V x = hn::Set(kFloats, of.a[k * kFloatPanelWidth + r]);
#pragma GCC unroll 4
            for (std::size_t p = 0; p < Panels * kPanelVectors; ++p)
                sum[r][p] = hn::MulAdd(x, y[p], sum[r][p]);
        }
    }
#pragma GCC unroll 8
    for (std::size_t r = 0; r < kRows; ++r)
#pragma GCC unroll 4
        for (std::size_t p = 0; p < Panels * kPanelVectors; ++p) {
            HWY_ALIGN float part[kLanes];
            hn::Store(sum[r][p], kFloats, part);
            double* to = of.tile + r * kFloatTileColumns + p * kLanes;
            for (std::size_t l = 0; l < kLanes; ++l)
                to[l] += static_cast<double>(part[l]);
        }
}

void multiplyTile(const FloatPanels& of, double* tile) {
    const auto add = of.wanted == 1 || kPanels == 1 ? addPart<1> : of.wanted == 2 ? addPart<2> : addPart<kPanels>;
    std::fill_n(tile, kFloatTileRows * kFloatTileColumns, 0.0);
    for (std::size_t from = 0; from < of.depth; from += of.chunk) {
        const std::size_t first = from * kFloatPanelWidth;
        const float* const b[] = {of.b[0] + first, of.b[1] + first, of.b[2] + first};
        for (std::size_t p = 0; p < of.wanted; p += kPanels)
            for (std::size_t r = 0; r < kFloatTileRows; r += kRows)
                add({.length = std::min(of.chunk, of.depth - from),
                     .a = of.a + first + r,
                     .b = b + p,
                     .tile = tile + r * kFloatTileColumns + p * kFloatPanelWidth});
    }
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
namespace {
HWY_EXPORT(multiplyTile);
} // namespace

void multiplyFloatPanels(const FloatPanels& of, double* tile) {
    HWY_DYNAMIC_DISPATCH(multiplyTile)(of, tile);
}

void packFloatPanel(std::span<const float* const> vectors, std::size_t depth, const float* centre, float* panel) {
    // A line of memory of every vector at a time.
    for (std::size_t first = 0; first < depth; first += kFloatPanelWidth)
        for (std::size_t v = 0; v < kFloatPanelWidth; ++v)
            for (std::size_t k = first; k < std::min(depth, first + kFloatPanelWidth); ++k)
                panel[k * kFloatPanelWidth + v] = v < vectors.size() ? vectors[v][k] - centre[k] : 0.0F;
}

} // namespace assay
#endif
