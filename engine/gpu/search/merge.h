#pragma once

#include "engine/gpu/search/pass.h"

#include <cstddef>
#include <vector>

namespace assay::cuda {

/// Merges the outputs of the devices of a pass: the nearest of all tables, the sums of all counters.
/// @param parts at least one; without tables where a device had no work
PassOutput merged(std::vector<PassOutput> parts, std::size_t rowsX, std::size_t rowsY);

} // namespace assay::cuda
