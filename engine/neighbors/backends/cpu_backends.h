#pragma once

#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <memory>
#include <span>

namespace assay {

/// Up to this number of dimensions a tree is fastest on all large data and machines.
constexpr std::size_t kAlwaysTree = 8;

/// The backends that run on the CPU.
std::span<const Backend> cpuBackends();

/// Makes a CPU backend. Auto chooses by dimension and number of rows, and in doubtful cases by a short trial on
/// `sample`. Can be used as a SearchMaker.
/// @param sample the larger of the sets that are searched
/// @param threads 0: all cores
/// @throws Error{DeviceFailed} if `choice` is not a CPU backend; Cancelled
std::unique_ptr<NeighborSearch> makeCpuSearch(BackendChoice choice, MatrixView sample, unsigned threads,
                                              const JobContext& job);

} // namespace assay
