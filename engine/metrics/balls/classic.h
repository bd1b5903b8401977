#pragma once

#include "engine/metrics/tables/metric_inputs.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <vector>

/// Precision, recall, density, coverage: Kynkaanniemi et al. 2019, Naeem et al. 2020, Khayatkhoei and AbdAlmageed 2023.
/// For definitions, conventions and sources see the catalogue and docs/metrics.md.
/// Precision cover and recall cover, Cheema and Urner, AISTATS 2023.
/// Scores from the nearest neighbours alone. Authenticity: Alaa et al., ICML 2022. For definitions, conventions and
/// sources see the catalogue and docs/metrics.md.
namespace assay::metrics {

std::vector<double> ballHoldsReal(const MetricInputs& in);
double precision(const MetricInputs& in);
double recall(const MetricInputs& in);
double density(const MetricInputs& in);
double coverage(const MetricInputs& in);
double symPrecision(const MetricInputs& in);
double symRecall(const MetricInputs& in);

/// Per sample: 1 if at least `k` samples of the other set lie within the distance to its neighbour of rank `ownRank` in
/// its own set, else 0. Rank 0 is the sample itself.
/// @param toOther neighbours in the other set, at least k per sample
/// @param own neighbours in its own set, at least ownRank per sample
/// @return one value per sample; all NaN if a table has fewer neighbours
std::vector<double> coverFlags(const NeighborTable& toOther, const NeighborTable& own, std::size_t k,
                               std::size_t ownRank);

/// coverFlags() of the synthetic samples (M values), and of the real samples (N values), for MetricInputs::cover.
std::vector<double> precisionCovered(const MetricInputs& in);
std::vector<double> recallCovered(const MetricInputs& in);

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
