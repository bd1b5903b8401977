#pragma once

#include "engine/metrics/tables/metric.h"

#include <cstddef>

/// Curves that are cheap enough for every audit: rows of curveCatalog(). Definitions stand there and in docs/curves.md.
namespace assay::curves {

/// The largest ball size of the k-sensitivity curve.
inline constexpr std::size_t kLargestSensitivityK = 20;

/// Clipped density and coverage, density, coverage, precision, recall, authenticity, PCE, RCE and RE for k = 1 .. 20,
/// each equal to the last bit to an audit with that k. Ends earlier where a set is so small or the audit stored fewer
/// neighbours. Balls that hold more than the stored neighbours name are counted in one pass over their pairs.
/// @param in with the synthetic rows (SyntheticRows)
/// @throws Cancelled
CurveValues kSensitivity(const MetricInputs& in);

/// f(m / M): the mean coverage to be expected of m good samples, which clipped coverage is read off from, at up to 101
/// even shares.
CurveValues coverageCalibration(const MetricInputs& in);

} // namespace assay::curves
