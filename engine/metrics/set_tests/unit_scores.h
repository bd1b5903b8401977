#pragma once

#include "engine/metrics/tables/metric.h"

namespace assay {

/// A score and its approximate 95 % interval.
struct BoundedScore {
    double value = 0.0;
    double low = 0.0;
    double high = 0.0;
};

/// Clipped density (not capped at 1) and clipped coverage, computed on one real sample of each unit with its own unit
/// left out: by their definition the scores of a good model of a set that is given three times are far below 1. The
/// intervals take the terms of each sample as independent; they serve to decide whether a score may be called good.
struct UnitScores {
    BoundedScore clippedDensity;
    BoundedScore clippedCoverage;
};

/// @param in whose real set has its partition. O((N + M) k)
UnitScores unitScores(const MetricInputs& in);

} // namespace assay
