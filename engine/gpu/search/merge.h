#pragma once

#include "engine/gpu/search/pass.h"

#include <cstddef>
#include <vector>

namespace assay::cuda {

/// What the shares of a pass answer together: the nearest of all tables, the sums of all counters.
/// @param parts at least one, some of them possibly without tables (a device that had nothing to do)
PassOutput merged(std::vector<PassOutput> parts, std::size_t rowsX, std::size_t rowsY);

} // namespace assay::cuda
