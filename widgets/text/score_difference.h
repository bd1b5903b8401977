#pragma once

#include "engine/audit/result/compare.h"

#include <QString>

namespace assay {

/// Text of the difference of one score between two models (first minus second), and its meaning.

/// With its 95 % interval: "+0.312 [0.290, 0.334]"; "-" where any of the numbers is NaN.
QString differenceText(const MetricDifference& difference);
/// Rating of the first model if the interval excludes 0: "better", "worse"; "nearer" or "farther" of two on the same
/// side of the value that is best; else "higher", "lower". Empty if the difference is not significant.
/// @param first, second the scores
QString verdictText(const MetricDifference& difference, Direction better, double first, double second);

/// One difference as rich text: the numbers, and what follows from them.
/// @param difference null for none
QString differenceToolTip(const ModelAudit& first, const ModelAudit& second, const Metric& metric,
                          const MetricDifference* difference);

/// Why some differences are of the numbers of samples too; empty for sets of equal size.
QString sizeCaveat(const ModelAudit& first, const ModelAudit& second);

} // namespace assay
