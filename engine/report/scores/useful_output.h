#pragma once

#include <string>

namespace assay {

struct AuditResult;
struct ModelAudit;

/// `useful` and `private` of a model as the JSON text of one object (docs/output.md).
std::string usefulAsJson(const AuditResult& audit, const ModelAudit& model);

} // namespace assay
