#pragma once

#include "engine/report/pages/report.h"

#include <cstddef>

namespace assay {

struct AuditResult;
class JobContext;

} // namespace assay

/// The parts of the HTML report, in the order in which they are read. Each begins with its heading.
namespace assay::report {

class HtmlWriter;

/// One verdict for each model, with its uncertainty.
void writeVerdicts(HtmlWriter& html, const AuditResult& audit);

/// Charts and tables of all models.
void writeComparison(HtmlWriter& html, const AuditResult& audit);

/// All about one model. @param decided what was decided about it; null for nothing
void writeModel(HtmlWriter& html, const AuditResult& audit, std::size_t model, const KeptSamples* decided,
                const JobContext& job);
/// Scores by class, where a set has labels; part of writeModel.
void writeClasses(HtmlWriter& html, const AuditResult& audit, std::size_t model);
/// Samples worth seeing, with their nearest real neighbours; part of writeModel.
void writeGalleries(HtmlWriter& html, const AuditResult& audit, std::size_t model, const JobContext& job);
/// What was rejected and what that did; part of writeModel.
void writeDecided(HtmlWriter& html, const ModelAudit& model, const KeptSamples& decided);

/// What the scores mean and where they come from.
void writeMethods(HtmlWriter& html, const AuditResult& audit);

/// Parameters, inputs, and the command that makes the same audit.
void writeProvenance(HtmlWriter& html, const AuditResult& audit, const std::string& command);

} // namespace assay::report
