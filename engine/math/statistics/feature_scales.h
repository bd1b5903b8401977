#pragma once

#include "engine/data/matrix_view.h"

#include <vector>

namespace assay {

/// Summary of the standard deviations of a set's features.
struct FeatureScales {
    double typical = 0.0; ///< lower quartile over the features that vary; 0 if none does
    double largest = 0.0; ///< largest standard deviation
};

/// Computes the summary from at most 10,000 evenly spaced rows.
FeatureScales featureScales(MatrixView set);

/// Standard deviation (with divisor N) of each feature, from at most 10,000 evenly spaced rows: d values.
std::vector<double> featureDeviations(MatrixView set);

} // namespace assay
