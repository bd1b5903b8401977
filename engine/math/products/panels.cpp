#include "engine/math/products/panels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/math/products/panels.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
constexpr std::size_t kLanes = hn::MaxLanes(hn::CappedTag<T, kPanelWidth<T>>());
template <typename T>
constexpr std::size_t kPanelVectors = kPanelWidth<T> / kLanes<T>;
// As many rows and panels at a time as there are registers for their sums.
template <typename T>
constexpr std::size_t kRows = kPanelVectors<T> == 1 ? kTileRows : std::max<std::size_t>(4 / kPanelVectors<T>, 1) * 2;
template <typename T>
constexpr std::size_t kPanels = kPanelVectors<T> == 1 ? kPanelsAtOnce : 1;

/// Elements of a tile that are summed at once, over a chunk.
template <typename T>
struct Part {
    std::size_t length; ///< of the chunk
    const T* a;         ///< the first row's first element of the chunk
    const T* const* b;  ///< the panels'
    double* tile;       ///< the first row's sums with the first panel
};

// Every sum stays in a register until the chunk is over. A function of its own: inside the loop over chunks the
// compiler keeps the tile on the stack as well.
template <typename T, std::size_t Count>
HWY_NOINLINE void addPart(const Part<T>& of) {
    constexpr hn::CappedTag<T, kPanelWidth<T>> d;
    constexpr std::size_t kVectors = Count * kPanelVectors<T>;
    using V = hn::Vec<decltype(d)>;
    V sum[kRows<T>][kVectors];
    for (auto& row : sum)
        for (V& x : row)
            x = hn::Zero(d);
    const T* b[Count];
    std::copy_n(of.b, Count, b);
    for (std::size_t k = 0; k < of.length; ++k) {
        V y[kVectors];
#pragma GCC unroll 4
        for (std::size_t p = 0; p < Count; ++p)
#pragma GCC unroll 4
            for (std::size_t v = 0; v < kPanelVectors<T>; ++v)
                y[p * kPanelVectors<T> + v] = hn::LoadU(d, b[p] + k * kPanelWidth<T> + v * kLanes<T>);
#pragma GCC unroll 8
        for (std::size_t r = 0; r < kRows<T>; ++r) {
            const V x = hn::Set(d, of.a[k * kPanelWidth<T> + r]);
#pragma GCC unroll 4
            for (std::size_t p = 0; p < kVectors; ++p)
                sum[r][p] = hn::MulAdd(x, y[p], sum[r][p]);
        }
    }
#pragma GCC unroll 8
    for (std::size_t r = 0; r < kRows<T>; ++r)
#pragma GCC unroll 4
        for (std::size_t p = 0; p < kVectors; ++p) {
            HWY_ALIGN T part[kLanes<T>];
            hn::Store(sum[r][p], d, part);
            double* to = of.tile + r * kTileColumns<T> + p * kLanes<T>;
            for (std::size_t l = 0; l < kLanes<T>; ++l)
                to[l] += static_cast<double>(part[l]);
        }
}

template <typename T>
void multiplyTile(const Panels<T>& of, double* tile) {
    const auto add = of.wanted == 1 || kPanels<T> == 1 ? addPart<T, 1>
                     : of.wanted == 2                  ? addPart<T, 2>
                                                       : addPart<T, kPanels<T>>;
    std::fill_n(tile, kTileRows * kTileColumns<T>, 0.0);
    for (std::size_t from = 0; from < of.depth; from += of.chunk) {
        const std::size_t first = from * kPanelWidth<T>;
        const T* const b[] = {of.b[0] + first, of.b[1] + first, of.b[2] + first};
        for (std::size_t p = 0; p < of.wanted; p += kPanels<T>)
            for (std::size_t r = 0; r < kTileRows; r += kRows<T>)
                add({.length = std::min(of.chunk, of.depth - from),
                     .a = of.a + first + r,
                     .b = b + p,
                     .tile = tile + r * kTileColumns<T> + p * kPanelWidth<T>});
    }
}

void multiplyFloats(const Panels<float>& of, double* tile) {
    multiplyTile(of, tile);
}

void multiplyDoubles(const Panels<double>& of, double* tile) {
    multiplyTile(of, tile);
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
namespace {
HWY_EXPORT(multiplyFloats);
HWY_EXPORT(multiplyDoubles);
} // namespace

void multiplyPanels(const Panels<float>& of, double* tile) {
    HWY_DYNAMIC_DISPATCH(multiplyFloats)(of, tile);
}

void multiplyPanels(const Panels<double>& of, double* tile) {
    HWY_DYNAMIC_DISPATCH(multiplyDoubles)(of, tile);
}

void packFloatPanel(std::span<const float* const> vectors, std::size_t depth, const float* centre, float* panel) {
    // A line of memory of every vector at a time.
    for (std::size_t first = 0; first < depth; first += kPanelWidth<float>)
        for (std::size_t v = 0; v < kPanelWidth<float>; ++v)
            for (std::size_t k = first; k < std::min(depth, first + kPanelWidth<float>); ++k)
                panel[k * kPanelWidth<float> + v] = v < vectors.size() ? vectors[v][k] - centre[k] : 0.0F;
}

} // namespace assay
#endif
