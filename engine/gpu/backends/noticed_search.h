#pragma once

#include "engine/neighbors/search/neighbor_search.h"

#include <memory>
#include <string>

namespace assay {

/// The same search, whose hardware() ends with a notice: "CPU; NVIDIA H200 (140 GiB) is left out, ...". It reaches
/// whatever shows what an audit ran on: the JSON output, reports, the window's status line.
/// @param search not null
/// @param notice empty: `search` itself is returned
std::unique_ptr<NeighborSearch> withNotice(std::unique_ptr<NeighborSearch> search, const std::string& notice);

} // namespace assay
