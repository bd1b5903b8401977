#pragma once

#include <array>
#include <vector>

namespace assay {

/// Real and synthetic samples in the first three principal components of the real set. A plain value, computed by a
/// job.
struct SpacePoints {
    std::vector<std::array<float, 3>> real;      ///< N, in row order, in the embedding's unit
    std::vector<std::array<float, 3>> synthetic; ///< M of the current model, in row order
    std::array<double, 3> explainedShare{};      ///< of the real set's variance, by axis, in [0, 1]
};

} // namespace assay
