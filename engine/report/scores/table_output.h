#pragma once

#include <string>

namespace assay {

class EmbeddingSet;
struct ModelAudit;

/// What features, pairs of features, categories and missing values differ in, as the JSON text of one object: members
/// of `diagnostics` (docs/output.md). Values are in the unit of the file. An empty object for a quick audit.
std::string featuresAsJson(const EmbeddingSet& real, const ModelAudit& model);

} // namespace assay
