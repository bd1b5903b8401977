#pragma once

#include <string>

namespace assay {

struct ModelAudit;
struct RealAnalysis;

} // namespace assay

// Whether what an audit file holds can be an audit at all: who reads tables by row must not find rows that are not
// there.
namespace assay::store {

/// @throws Error{BadInput} naming the file and the table
void requireConsistent(const std::string& file, const RealAnalysis& real);
void requireConsistent(const std::string& file, const RealAnalysis& real, const ModelAudit& model);

} // namespace assay::store
