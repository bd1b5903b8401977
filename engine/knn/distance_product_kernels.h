#pragma once

#include <cstddef>

namespace assay {

/// Squared distances of one row from several, of `dim` floats each, in double precision: as good as the definition's
/// but for rounding, and quicker, because the sums may be made in any order.
/// @param rows `count` of them @param squared takes `count` results
void squaredDistancesNear(const float* row, const float* const* rows, std::size_t count, std::size_t dim,
                          double* squared);

/// Product of (estimates[c] + (own + above[c])) * unit, each brought into [0, 1], over c < count: of upper bounds on
/// some distances.
double productOfBounds(const float* estimates, const float* above, float own, float unit, std::size_t count);

} // namespace assay
