#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace assay {

/// Vectors in one panel of a packed operand, a line of memory: element k of vector v at panel[k * kPanelWidth<T> + v].
/// @tparam T float or double
template <typename T>
constexpr std::size_t kPanelWidth = 64 / sizeof(T);
/// Vectors of the first operand that are multiplied at once.
constexpr std::size_t kTileRows = 8;
/// Panels of the second operand that are multiplied at once.
constexpr std::size_t kPanelsAtOnce = 3;
template <typename T>
constexpr std::size_t kTileColumns = kPanelWidth<T>* kPanelsAtOnce;

/// 8 vectors of one operand and those of three panels of another.
template <typename T>
struct Panels {
    std::size_t depth; ///< elements of each vector
    std::size_t chunk; ///< products that are summed in T, at least 1; these sums are summed in double precision
    const T* a;        ///< the first of the 8 vectors, which are in one panel
    std::array<const T*, kPanelsAtOnce> b;
    std::size_t wanted; ///< of b's panels, the first ones, at least 1; what the tile has for the others is undefined
};

/// Their inner products: tile[v * kTileColumns<T> + w]. Every one is summed in the order of the elements, wherever its
/// vectors stand: equal vectors have equal products, to the last bit.
void multiplyPanels(const Panels<float>& of, double* tile);
void multiplyPanels(const Panels<double>& of, double* tile);

/// The least number of panels that holds `vectors` and can be multiplied whole.
template <typename T>
constexpr std::size_t panelsFor(std::size_t vectors) {
    return (vectors + kTileColumns<T> - 1) / kTileColumns<T> * kPanelsAtOnce;
}

/// Of the panels that are multiplied at once, those that hold the first `vectors`.
template <typename T>
constexpr std::size_t wantedPanels(std::size_t vectors) {
    const std::size_t panels = (vectors + kPanelWidth<T> - 1) / kPanelWidth<T>;
    return panels < kPanelsAtOnce ? panels : kPanelsAtOnce;
}

/// Fills a panel with vectors less a centre; what it has beyond them is zero.
/// @param vectors first elements of up to kPanelWidth vectors @param depth elements of each, and of the centre
void packFloatPanel(std::span<const float* const> vectors, std::size_t depth, const float* centre, float* panel);

} // namespace assay
