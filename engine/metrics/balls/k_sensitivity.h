#pragma once

#include "engine/metrics/tables/metric_inputs.h"

#include <cstddef>

namespace assay::metrics {

/// The largest ball size of the k-sensitivity curve.
inline constexpr std::size_t kLargestSensitivityK = 20;

/// Clipped density and coverage, density, coverage, precision, recall, authenticity, PCE, RCE and RE as functions of k,
/// for k from 1 to kLargestSensitivityK. Each value is equal, to the last bit, to an audit with that k. The curve ends
/// earlier if a set is too small or if the audit stored fewer neighbours. Balls with more members than stored
/// neighbours are counted in one pass over their pairs.
/// @param in has the product SyntheticRows
/// @throws Cancelled
CurveValues kSensitivity(const MetricInputs& in);

} // namespace assay::metrics
