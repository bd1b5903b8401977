#pragma once

#include "engine/metrics/tables/metric.h"

#include <vector>

/// The nearest-neighbour two-sample test: Lopez-Paz, Oquab, ICLR 2017. Definitions, conventions and sources stand in
/// the catalogue and in docs/metrics.md.
namespace assay::metrics {

/// Per synthetic sample: 1 where its nearest other sample of both sets is synthetic, 0 where it is real, 0.5 for a tie.
std::vector<double> nearestIsSynthetic(const MetricInputs& in);
/// Per real sample: 1 where its nearest other sample of both sets is real, 0 where it is synthetic, 0.5 for a tie.
std::vector<double> nearestIsReal(const MetricInputs& in);
/// The mean of both means: in [0, 1].
double nearestNeighborAccuracy(const MetricInputs& in);

} // namespace assay::metrics
