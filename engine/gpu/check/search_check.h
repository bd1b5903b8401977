#pragma once

#include "engine/gpu/device/device.h"
#include "engine/gpu/search/device_search.h"

#include <string>

namespace assay::cuda {

/// Compares k-nearest lists and ball counts with the CPU's, bit for bit, on small data sets: tied distances, duplicate
/// rows, a large common offset, magnitudes from denormal to the largest, one dimension, more columns than a tile
/// multiplies at once. The sets have more rows than one tile, and their sizes are no multiple of a tile's.
/// @param search by the device that is checked, without a fallback
/// @return the first difference, with the data set it was found on; empty where there is none
/// @throws Error as NeighborSearch
std::string searchDifference(const DeviceSearch& search);

/// The same for lists that overflow, so that regions are repeated.
std::string overflowDifference(Device& device);

} // namespace assay::cuda
