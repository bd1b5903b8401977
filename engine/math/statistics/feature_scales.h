#pragma once

#include "engine/data/matrix_view.h"

#include <vector>

namespace assay {

/// Standard deviations of a set's features.
struct FeatureScales {
    double typical = 0.0; ///< lower quartile of those that vary at all; 0 where none does
    double largest = 0.0;
};

/// From 10,000 evenly spaced rows where there are more.
FeatureScales featureScales(MatrixView set);

/// Of each feature, from the same rows.
std::vector<double> featureDeviations(MatrixView set);

} // namespace assay
