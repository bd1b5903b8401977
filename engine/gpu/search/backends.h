#pragma once

#include "engine/neighbors/search/neighbor_search.h"

#include <memory>
#include <span>

namespace assay {

/// Every backend that this build and this machine have. The first call asks the graphics driver, where there is one.
std::span<const Backend> backendTable();

/// Makes the chosen backend; Auto picks a graphics card for large sets where there is one, else as makeCpuSearch. A
/// SearchMaker.
/// @param threads 0 for every core
/// @throws Error{DeviceFailed} for Cuda where there is no card, saying what is missing
std::unique_ptr<NeighborSearch> makeNeighborSearch(BackendChoice choice, MatrixView sample, unsigned threads,
                                                   const JobContext& job);

} // namespace assay
