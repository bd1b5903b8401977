#pragma once

#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/external/external_scores.h"
#include "engine/subsets/rules/filter.h"
#include "engine/subsets/what_if/kept_audit.h"

#include <cstddef>
#include <string>
#include <vector>

namespace assay {

struct AuditResult;

/// A rule and its effect on its own.
struct RuleEffect {
    std::string text;         ///< description of the rule in words
    std::size_t rejected = 0; ///< number of samples that the rule rejects, regardless of other rules
};

/// The user's decisions about one model's samples, and their effect.
struct KeptSamples {
    std::size_t model = 0; ///< index into AuditResult::models
    std::vector<RuleEffect> rules;
    RuleMatch match = RuleMatch::All;
    std::size_t rejectedByHand = 0; ///< samples rejected by hand
    std::size_t accepted = 0;       ///< samples kept by hand, regardless of the rules
    KeptAudit left; ///< scores of the kept samples, and of as many random ones; no scores when nothing is rejected
};

/// Summarises a filter's decisions. @param left result of auditKept() for the filter @throws as AppliedFilter
KeptSamples keptSamples(const AuditResult& audit, std::size_t model, const SampleFilter& filter, KeptAudit left);

/// Applies the filter and audits the samples that it keeps, and as many samples drawn at random for comparison.
/// @param model index into AuditResult::models
/// @throws as auditKept()
KeptSamples keptSamples(const AuditResult& audit, std::size_t model, const SampleFilter& filter,
                        const AuditOptions& options = {}, const JobContext& job = {});

/// Details of each model besides its page: scores by class, holes, features, utility and privacy, and
/// galleries of ranked samples. Some six printed pages per model.
enum class Appendix { LeftOut, Written };

/// Contents of a report besides the audit.
struct ReportParts {
    std::vector<KeptSamples> decided{};    ///< at most one per model; none for models without decisions
    std::string replayCommand{};           ///< shell command that repeats the audit; empty: replayCommand(audit)
    ExternalScores external{};             ///< figures of models from elsewhere; empty: no such section
    Appendix appendix = Appendix::LeftOut; ///< of HTML and PDF
};

/// Title of the report: "Audit of 3 generative models against real.npz".
std::string reportTitle(const AuditResult& audit);

/// The report as one self-contained HTML file: no scripts, no network requests, charts as SVG and pictures as PNG
/// inside the text. The same audit always gives identical bytes.
/// @throws Cancelled
std::string htmlReport(const AuditResult& audit, const ReportParts& parts = {}, const JobContext& job = {});

/// The report as a Markdown section for a model card: verdicts, scores with intervals, findings, parameters, hashes.
/// @throws Cancelled
std::string markdownReport(const AuditResult& audit, const ReportParts& parts = {}, const JobContext& job = {});

/// The report in the format of the file name's extension: .html or .htm, .md.
/// @throws Error{InvalidArgument} for any other extension; Cancelled
std::string reportText(const AuditResult& audit, const ReportParts& parts, const std::string& file,
                       const JobContext& job = {});

/// Checks that the file name has the extension of a report format.
/// @throws Error{InvalidArgument} otherwise
void requireReportFile(const std::string& file);

/// Writes reportText(); the file appears either complete or not at all.
/// @throws as reportText(), and Error{WriteFailed}
void writeReport(const AuditResult& audit, const ReportParts& parts, const std::string& file,
                 const JobContext& job = {});

/// The assay-score command that repeats the audit from the same files (or the demo). For a bad-fraction curve, the file
/// of bad samples is named as the audit recorded it.
/// @param auditFile audit file of this audit: the text then begins with the command that makes a report of it; empty
///         for none
std::string replayCommand(const AuditResult& audit, const std::string& auditFile = {});

/// A word for a shell's command line, quoted when necessary.
std::string shellWord(const std::string& text);

} // namespace assay
