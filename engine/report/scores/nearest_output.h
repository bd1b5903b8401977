#pragma once

#include <string>

namespace assay {

struct AuditResult;
struct ModelAudit;

/// `nearest_classes` of a model as JSON text (docs/output.md): for each class of its samples the classes of their
/// nearest real samples; "null" where one of the sets has no classes.
std::string nearestClassesAsJson(const AuditResult& audit, const ModelAudit& model);

} // namespace assay
