#pragma once

#include "engine/metrics/tables/metric.h"

#include <vector>

/// Scores from the nearest neighbours alone. Authenticity: Alaa et al., ICML 2022. For definitions, conventions and
/// sources see the catalogue and docs/metrics.md.
namespace assay::metrics {

std::vector<double> authentic(const MetricInputs& in);
std::vector<double> nearestReal(const MetricInputs& in);
std::vector<double> nearestRealDistance(const MetricInputs& in);
std::vector<double> nearestSyntheticDistance(const MetricInputs& in);

// The nearest-neighbour two-sample test: Lopez-Paz, Oquab, ICLR 2017.

/// Per synthetic sample: 1 if its nearest other sample in the union of both sets is synthetic, 0 if it is real, 0.5 for
/// a tie.
std::vector<double> nearestIsSynthetic(const MetricInputs& in);
/// Per real sample: 1 if its nearest other sample in the union of both sets is real, 0 if it is synthetic, 0.5 for a
/// tie.
std::vector<double> nearestIsReal(const MetricInputs& in);
/// Accuracy of the test: the mean of the means of nearestIsReal() and nearestIsSynthetic(), in [0, 1].
double nearestNeighborAccuracy(const MetricInputs& in);

} // namespace assay::metrics
