#pragma once

#include "engine/audit/result/audit_result.h"

#include <QString>

#include <cstdint>
#include <string>

namespace assay {

class EmbeddingSet;

/// A class as people read it: its name; "class 3" where that is a number, which alone would be ambiguous.
QString classText(const std::string& label);

/// The same for a sentence: of a long name without the middle.
QString briefClassText(const std::string& label);

/// Name of a feature (a column of the embedding) in the real set's file, else its number: "feature 12".
QString featureName(const EmbeddingSet& real, std::uint32_t feature);

/// A metric of a model; NaN when the audit does not hold it.
double metricOr(const ModelAudit& model, std::string_view id);

/// A model as rich text: its name, what is suspicious about it in words, and the first metrics of the catalogue.
QString modelToolTip(const ModelAudit& model);

/// A model's name, marked where it is suspicious: "copycat (!)".
QString markedName(const ModelAudit& model);

/// Findings that mark a model, one sentence a line; empty without any.
QString concernText(const ModelAudit& model);

} // namespace assay
