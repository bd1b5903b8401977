#pragma once

#include <string>

namespace assay {

struct AuditResult;
struct ModelAudit;

/// Worth of the model's samples as training data, in one or two plain sentences, or why that is not known.
std::string usefulSentence(const ModelAudit& model);

/// Whether the model's samples give training samples away, in plain sentences with intervals, or why that is not known.
std::string privateSentence(const AuditResult& audit, const ModelAudit& model);

} // namespace assay
