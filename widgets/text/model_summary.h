#pragma once

#include "engine/audit/result/audit_result.h"

#include <QString>

namespace assay {

/// A metric of a model; NaN when the audit does not hold it.
double metricOr(const ModelAudit& model, std::string_view id);

/// A model as rich text: its name, what is suspicious about it in words, and the first metrics of the catalogue.
QString modelToolTip(const ModelAudit& model);

/// A model's name, marked where it is suspicious: "copycat (!)".
QString markedName(const ModelAudit& model);

/// Findings that mark a model, one sentence a line; empty without any.
QString concernText(const ModelAudit& model);

} // namespace assay
