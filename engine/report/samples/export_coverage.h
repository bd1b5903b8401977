#pragma once

#include "engine/audit/result/compare.h"
#include "engine/subsets/holes/coverage_holes.h"

#include <filesystem>

namespace assay {

struct AuditResult;

/// Writes every real sample with which of two models cover it, as CSV: row, id, label, covered_by ("both", "neither",
/// or the name of the only one).
/// @throws Error{WriteFailed}; no partial file remains
void exportCoverage(const AuditResult& audit, const ModelContrast& contrast, const std::filesystem::path& file);

/// Writes the real samples of coverage holes as CSV, the largest hole first: row in the real set's file, id, label, and
/// the hole's number from 1 on; 0 for missed samples in no hole.
/// @param holes of this audit @throws Error{CannotWrite}
void exportHoles(const AuditResult& audit, const CoverageHoles& holes, const std::filesystem::path& file);

} // namespace assay
