#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

namespace assay {

/// Method that places samples in three dimensions.
enum class Arrangement {
    Components, ///< the first three principal components of the real set: lengths are the embedding's, never longer
    Neighbors,  ///< near neighbours lie together; lengths have no unit (engine/layout/neighbor_layout.h)
};

/// Real and synthetic samples in three dimensions. A plain value, computed by a job.
struct SpacePoints {
    std::vector<std::array<float, 3>> real;      ///< N, in row order
    std::vector<std::array<float, 3>> synthetic; ///< M of the current model, in row order
    std::array<double, 3> explainedShare{};      ///< Components: of the real set's variance, by axis, in [0, 1]
    Arrangement arrangement = Arrangement::Components;
    /// Share of each sample's `neighbors` nearest, in all dimensions, that are among as many nearest here; NaN:
    /// unknown.
    double keptNeighbors = std::numeric_limits<double>::quiet_NaN();
    std::size_t neighbors = 0;
};

} // namespace assay
