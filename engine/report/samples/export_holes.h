#pragma once

#include "engine/subsets/holes/coverage_holes.h"

#include <filesystem>

namespace assay {

struct AuditResult;

/// Writes the real samples of coverage holes as CSV, the largest hole first: row in the real set's file, id, label, and
/// the hole's number from 1 on; 0 for missed samples in no hole.
/// @param holes of this audit @throws Error{CannotWrite}
void exportHoles(const AuditResult& audit, const CoverageHoles& holes, const std::filesystem::path& file);

} // namespace assay
