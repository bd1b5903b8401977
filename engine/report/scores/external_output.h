#pragma once

#include <string>

namespace assay {

struct AuditResult;
struct ExternalScores;

/// Adds figures of models from elsewhere to the JSON text of an audit (scoresAsJson): `external`, with every metric's
/// coefficients of correlation (docs/output.md).
std::string withExternalAsJson(const std::string& json, const AuditResult& audit, const ExternalScores& scores);

/// The external columns of samples as a JSON list: where each comes from, how many samples of which set have a value,
/// and the mean, lowest and highest one (docs/output.md).
std::string externalColumnsAsJson(const AuditResult& audit);

/// One paragraph per column for a terminal: agreementSentence().
std::string externalAsText(const AuditResult& audit, const ExternalScores& scores);

} // namespace assay
