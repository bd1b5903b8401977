#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace assay {

/// Vectors in one panel of an operand packed in single precision: element k of vector v at
/// panel[k * kFloatPanelWidth + v].
constexpr std::size_t kFloatPanelWidth = 16;
/// Vectors of the first operand that are multiplied at once, half of a panel.
constexpr std::size_t kFloatTileRows = 8;
/// Panels of the second operand that are multiplied at once.
constexpr std::size_t kFloatPanelsAtOnce = 3;
constexpr std::size_t kFloatTileColumns = kFloatPanelWidth * kFloatPanelsAtOnce;

/// 8 vectors of one operand and the 48 of three panels of another.
struct FloatPanels {
    std::size_t depth; ///< elements of each vector
    std::size_t chunk; ///< products that are summed in single precision, at least 1; these sums are summed in double
    const float* a;    ///< the first of the 8 vectors
    std::array<const float*, kFloatPanelsAtOnce> b;
    std::size_t wanted; ///< of b's panels, the first ones, at least 1; what the tile has for the others is undefined
};

/// Their inner products: tile[v * kFloatTileColumns + w].
void multiplyFloatPanels(const FloatPanels& of, double* tile);

/// The least number of panels that holds `vectors` and can be multiplied whole.
constexpr std::size_t floatPanelsFor(std::size_t vectors) {
    return (vectors + kFloatTileColumns - 1) / kFloatTileColumns * kFloatPanelsAtOnce;
}

/// Of the panels that are multiplied at once, those that hold the first `vectors`.
constexpr std::size_t wantedFloatPanels(std::size_t vectors) {
    const std::size_t panels = (vectors + kFloatPanelWidth - 1) / kFloatPanelWidth;
    return panels < kFloatPanelsAtOnce ? panels : kFloatPanelsAtOnce;
}

/// Fills a panel with vectors less a centre; what it has beyond them is zero.
/// @param vectors first elements of up to kFloatPanelWidth vectors @param depth elements of each, and of the centre
void packFloatPanel(std::span<const float* const> vectors, std::size_t depth, const float* centre, float* panel);

} // namespace assay
