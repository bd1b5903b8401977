#pragma once

#include "widgets/link/linked_view.h"
#include "widgets/link/space_points.h"

namespace assay {

/// Places samples by columns: along each axis from 0 at the 0.5 % quantile of both sets' values to 1 at the 99.5 %
/// quantile, so that a few outliers do not squeeze all others. Samples without one of the values lie at NaN: all of the
/// side that a score is not of.
/// @param state has a model
/// @param layout by columns; a column or feature that the audit does not have places no sample
SpacePoints columnPoints(const ViewState& state, const SpaceLayout& layout);

} // namespace assay
