#pragma once

#include <string>
#include <vector>

namespace assay {

class ValueReader;
class ValueWriter;
struct DemandedCurve;
struct ModelAudit;

} // namespace assay

// The scores of an audit file: rows of the catalogue by their ids, so that a later catalogue reads what it still knows.
namespace assay::store {

/// Metrics, columns, curves, what good samples score, intervals, resamples and findings of a model below `path`.
void writeScores(ValueWriter& values, const std::string& path, const ModelAudit& model);
/// @throws Error{BadInput}
void readScores(ValueReader& values, const std::string& path, ModelAudit& model);

void writeDemandedCurves(ValueWriter& values, const std::vector<DemandedCurve>& curves);
/// @throws Error{BadInput}
std::vector<DemandedCurve> readDemandedCurves(ValueReader& values);

} // namespace assay::store
