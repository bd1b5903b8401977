#pragma once

#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <memory>
#include <span>

namespace assay {

/// Up to so many dimensions a tree is the fastest whatever the data and the machine are.
constexpr std::size_t kAlwaysTree = 8;

/// The backends that need no graphics card.
std::span<const Backend> cpuBackends();

/// Makes one of them; Auto picks by dimension and size, in doubt by a short trial on this data. A SearchMaker.
/// @param threads 0 for every core
/// @throws Error{DeviceFailed} for any other choice
std::unique_ptr<NeighborSearch> makeCpuSearch(BackendChoice choice, MatrixView sample, unsigned threads,
                                              const JobContext& job);

} // namespace assay
