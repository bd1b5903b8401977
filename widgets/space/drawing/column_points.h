#pragma once

#include "widgets/link/view_state.h"
#include "widgets/link/space_points.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Places samples by columns: along each axis from 0 at the 0.5 % quantile of both sets' values to 1 at the 99.5 %
/// quantile, so that a few outliers do not squeeze all others. Samples without one of the values lie at NaN: all of the
/// side that a score is not of.
/// @param state has a model
/// @param layout by columns; a column or feature that the audit does not have places no sample
SpacePoints columnPoints(const ViewState& state, const SpaceLayout& layout);

/// Places samples of another model on the axes of points that columnPoints() placed.
/// @param state whose current model is the other one
/// @param rows of its samples
/// @return one point for each row
std::vector<std::array<float, 3>> columnPointsBeside(const SpacePoints& placed, const ViewState& state,
                                                     std::span<const std::uint32_t> rows);

} // namespace assay
