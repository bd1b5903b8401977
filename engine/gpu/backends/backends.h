#pragma once

#include "engine/neighbors/search/neighbor_search.h"

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace assay {

/// Every backend that this build and this machine have. The first call asks the graphics driver, where there is one;
/// cards are listed before their self check, which runs when one is used first.
std::span<const Backend> backendTable();

/// Makes the chosen backend; Auto picks a graphics card for large sets where one passes the self check, else as
/// makeCpuSearch. Searches by cards are checked on sampled rows (SampledSearch). A SearchMaker.
/// @param threads 0 for every core
/// @throws Error{DeviceFailed} for Cuda where no card can be used, saying why
std::unique_ptr<NeighborSearch> makeNeighborSearch(BackendChoice choice, MatrixView sample, unsigned threads,
                                                   const JobContext& job);

using SearchOpener = std::function<std::unique_ptr<NeighborSearch>()>;

/// A search by graphics cards that nobody insists on: where a card cannot be opened or has no memory left, because
/// another program uses it, the search is the CPU's, with a notice that says why. Other errors are passed on.
/// @throws whatever `cards` throws besides Error{DeviceFailed} and cuda::OutOfDeviceMemory, and whatever `onCpu` throws
std::unique_ptr<NeighborSearch> cardsOr(const SearchOpener& cards, const SearchOpener& onCpu);

/// The same search, whose hardware() ends with a notice: "CPU; NVIDIA H200 (140 GiB) is left out, ...". It reaches
/// whatever shows what an audit ran on: the JSON output, reports, the window's status line.
/// @param search not null
/// @param notice empty: `search` itself is returned
std::unique_ptr<NeighborSearch> withNotice(std::unique_ptr<NeighborSearch> search, const std::string& notice);

} // namespace assay
