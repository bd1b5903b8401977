#pragma once

#include "engine/base/job_context.h"
#include "engine/report/pages/kept_samples.h"

#include <string>
#include <vector>

namespace assay {

struct AuditResult;

/// What a report contains beyond the audit.
struct ReportParts {
    std::vector<KeptSamples> decided; ///< at most one per model; of models that nothing was decided about none
    std::string replayCommand;        ///< lines of a shell; empty: replayCommand(audit)
};

/// What the report is headed with: "Audit of 3 generative models against real.npz".
std::string reportTitle(const AuditResult& audit);

/// The audit as one HTML file that needs nothing else: no script, no request to anywhere, charts as SVG and pictures as
/// PNG in the text. The same audit always gives the same bytes.
/// @throws Cancelled
std::string htmlReport(const AuditResult& audit, const ReportParts& parts = {}, const JobContext& job = {});

/// A section for a model card: verdicts, scores with intervals, findings, parameters, digests.
/// @throws Cancelled
std::string markdownReport(const AuditResult& audit, const ReportParts& parts = {}, const JobContext& job = {});

/// The report that the file's extension asks for: .html or .htm, .md.
/// @throws Error{InvalidArgument} for any other extension; Cancelled
std::string reportText(const AuditResult& audit, const ReportParts& parts, const std::string& file,
                       const JobContext& job = {});

/// Makes sure that the file's extension is that of a report. @throws Error{InvalidArgument}
void requireReportFile(const std::string& file);

/// Writes reportText; the file appears whole or not at all. @throws as reportText, and Error{WriteFailed}
void writeReport(const AuditResult& audit, const ReportParts& parts, const std::string& file,
                 const JobContext& job = {});

/// The assay-score command that makes the same audit from the same files (or the demo). Bad samples of a bad-fraction
/// curve are named as the audit knows them.
/// @param auditFile that the audit is kept in, whose report is named first; empty for none
std::string replayCommand(const AuditResult& audit, const std::string& auditFile = {});

/// A word of a shell's command line, quoted where it has to be.
std::string shellWord(const std::string& text);

} // namespace assay
