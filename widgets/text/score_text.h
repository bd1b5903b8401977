#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/compare.h"

#include <QString>

namespace assay {

/// How one score of one model is written, and why it is missing where it is.

/// Without the unit, for a table whose header names it: "0.104"; "-" for none.
QString scoreText(const ModelAudit& model, const Metric& metric);
/// With everything that is known of the value, for tooltips: "48.3 nats", "0.960 [0.951, 0.968]" where there is a 95 %
/// interval.
QString fullScoreText(const ModelAudit& model, const Metric& metric);

/// Why the model has no value, as a sentence; empty where it has one.
QString missingReason(const ModelAudit& model, const Metric& metric);
/// Data that scores of this kind are computed from, as text after "need": "a held-out real set".
QString needsText(ResultType needed);

/// An arrow for which way is better, up, down, or to a number; empty for neither.
QString directionMark(Direction better);
/// "higher is better"; empty for neither.
QString directionText(Direction better);

/// A metric with its unit where it has one that its values do not show: "PCE (nats)".
QString titleWithUnit(const Metric& metric);

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
