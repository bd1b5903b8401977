#pragma once

#include "engine/gpu/device/device.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace assay {

/// Every backend that this build and this machine have. The first call asks the graphics driver, where there is one.
std::span<const Backend> backendTable();

/// Makes the chosen backend; Auto picks a graphics card for large sets where there is one, else as makeCpuSearch.
/// Searches by cards are checked on sampled rows (SampledSearch). A SearchMaker.
/// @param threads 0 for every core
/// @throws Error{DeviceFailed} for Cuda where no card can be used, saying why
std::unique_ptr<NeighborSearch> makeNeighborSearch(BackendChoice choice, MatrixView sample, unsigned threads,
                                                   const JobContext& job);

/// Graphics cards that were opened.
struct OpenedCards {
    std::vector<std::unique_ptr<cuda::Device>> devices; ///< at least one
    std::string leftOut;                                ///< names each other card and says why it could not be opened
};
using CardOpener = std::function<std::unique_ptr<cuda::Device>(std::size_t number)>;

/// Opens every usable card of a list. One that cannot be opened is left out while there are others.
/// @throws Error{DeviceFailed} where no card can be opened
OpenedCards openCards(const cuda::DeviceList& list, const CardOpener& open);

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
