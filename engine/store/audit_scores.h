#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/store/stored_values.h"

#include <string>
#include <vector>

// The scores of an audit file. They are stored by the ids of the catalogue, so that a program with a later catalogue
// can read the scores that it still knows.
namespace assay::store {

/// Writes a model's metrics, columns, curves, scores of its good samples, intervals, resamples and findings below
/// `path`.
void writeScores(ValueWriter& values, const std::string& path, const ModelAudit& model);
/// Reads what writeScores() wrote, except ids that are no longer in the catalogue.
/// @throws Error{BadInput} when a value is damaged or has the wrong shape
void readScores(ValueReader& values, const std::string& path, ModelAudit& model);

/// Writes the curves over subsets that the user requested.
void writeRequestedCurves(ValueWriter& values, const std::vector<RequestedCurve>& curves);
/// Reads what writeRequestedCurves() wrote.
/// @throws Error{BadInput}
std::vector<RequestedCurve> readRequestedCurves(ValueReader& values);

} // namespace assay::store
