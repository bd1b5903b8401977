#pragma once

#include "engine/audit/result/audit_result.h"

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

} // namespace assay
