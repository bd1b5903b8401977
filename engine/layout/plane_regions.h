#pragma once

#include "engine/data/embedding_set.h"
#include "engine/layout/density_map.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace assay {

/// A mode of the real density on the plane, with the samples from which the density rises to its peak.
struct PlaneRegion {
    std::array<double, 2> peak{}; ///< x, y
    std::string name;             ///< commonest class of its samples
    std::size_t samples = 0;
};

/// Regions that hold at least 1 % of the samples and of which at least half are of one class; the largest first.
///
/// Cells join the neighbouring region with the highest peak, from the densest cell downwards. Two regions that meet
/// become one unless both peaks are at least 1.5 times as dense as the place where they meet.
/// @param labels of the samples; empty: no region has a name, and none is returned
/// Source: Chazal, Guibas, Oudot, Skraba, Persistence-based clustering in Riemannian manifolds, 2013, on a grid.
std::vector<PlaneRegion> namedRegions(const DensityMap& map, const PlanePoints& samples, const ClassLabels& labels);

} // namespace assay
