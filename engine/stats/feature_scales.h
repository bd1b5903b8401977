#pragma once

#include "engine/data/matrix_view.h"

namespace assay {

/// Standard deviations of a set's features.
struct FeatureScales {
    double median = 0.0; ///< of those that vary at all; 0 where none does
    double largest = 0.0;
};

/// From 10,000 evenly spaced rows where there are more.
FeatureScales featureScales(MatrixView set);

} // namespace assay
