#pragma once

#include "engine/audit/result/audit_result.h"

#include <string>

// Checks that the tables of an audit file fit together: code that uses them as row indices must not go out of range.
namespace assay::store {

/// @throws Error{BadInput} naming the file and the first inconsistent table
void requireConsistent(const std::string& file, const RealAnalysis& real);
void requireConsistent(const std::string& file, const RealAnalysis& real, const ModelAudit& model);

} // namespace assay::store
