#pragma once

#include "engine/audit/result/model_contrast.h"

#include <filesystem>

namespace assay {

/// Writes every real sample with which of two models cover it, as CSV: row, id, label, covered_by ("both", "neither",
/// or the name of the only one).
/// @throws Error{WriteFailed}; no partial file remains
void exportCoverage(const AuditResult& audit, const ModelContrast& contrast, const std::filesystem::path& file);

} // namespace assay
