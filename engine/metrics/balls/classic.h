#pragma once

#include "engine/metrics/tables/metric.h"

#include <vector>

/// Precision, recall, density, coverage: Kynkaanniemi et al. 2019, Naeem et al. 2020, Khayatkhoei and AbdAlmageed 2023.
/// For definitions, conventions and sources see the catalogue and docs/metrics.md.
namespace assay::metrics {

std::vector<double> ballHoldsReal(const MetricInputs& in);
double precision(const MetricInputs& in);
double recall(const MetricInputs& in);
double density(const MetricInputs& in);
double coverage(const MetricInputs& in);
double symPrecision(const MetricInputs& in);
double symRecall(const MetricInputs& in);

} // namespace assay::metrics
