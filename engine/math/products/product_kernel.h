#pragma once

#include <cstddef>

namespace assay {

/// Vectors in one panel of a packed operand: element k of vector v at panel[k * kPanelWidth + v].
constexpr std::size_t kPanelWidth = 8;
/// Panels of the second operand that are multiplied at once.
constexpr std::size_t kPanelsAtOnce = 3;
constexpr std::size_t kTileColumns = kPanelWidth * kPanelsAtOnce;

/// Inner products of the 8 vectors of one panel with the 24 of three: tile[v * kTileColumns + w].
using PanelKernel = void (*)(std::size_t depth, const double* a, const double* const (&b)[kPanelsAtOnce], double* tile);

/// The quickest one that this processor has.
PanelKernel panelKernel();

} // namespace assay
