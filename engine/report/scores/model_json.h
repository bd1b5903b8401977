#pragma once

#include <string>

namespace assay {

class EmbeddingSet;
struct AuditResult;
struct ModelAudit;

/// `nearest_classes` of a model as JSON text (docs/output.md): for each class of its samples the classes of their
/// nearest real samples; "null" where one of the sets has no classes.
std::string nearestClassesAsJson(const AuditResult& audit, const ModelAudit& model);

/// Differences in features, pairs of features, categories and missing values as the JSON text of one object: members of
/// `diagnostics` (docs/output.md). Values are in the unit of the file. An empty object for a quick audit.
std::string featuresAsJson(const EmbeddingSet& real, const ModelAudit& model);

/// `useful` and `private` of a model as the JSON text of one object (docs/output.md).
std::string usefulAsJson(const AuditResult& audit, const ModelAudit& model);

} // namespace assay
