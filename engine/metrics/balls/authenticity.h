#pragma once

#include "engine/metrics/tables/metric.h"

#include <vector>

/// Authenticity: Alaa et al., ICML 2022. For definitions, conventions and sources see the catalogue and
/// docs/metrics.md.
namespace assay::metrics {

std::vector<double> authentic(const MetricInputs& in);
std::vector<double> nearestReal(const MetricInputs& in);
std::vector<double> nearestRealDistance(const MetricInputs& in);
std::vector<double> nearestSyntheticDistance(const MetricInputs& in);

} // namespace assay::metrics
