#pragma once

#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/cli/progress_bar.h"
#include "engine/cli/score_arguments.h"
#include "engine/cli/signals.h"
#include "engine/compat/programs.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/report/pages/report.h"
#include "engine/store/decisions.h"
#include "engine/subsets/curves/requested_curves.h"
#include "engine/subsets/what_if/kept_audit.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace assay {

// The steps of assay-score, for a single process and for one of several processes.

/// Checks the outputs before the audit runs, because it may take minutes: no output may replace an input, and folders
/// must exist. Writes nothing.
/// @throws Error{WriteFailed}
void checkOutputs(const ScoreArguments& arguments);

/// Reads all sets, or this process's share of the rows of each.
/// @throws as readEmbeddings()
AuditRequest load(const ScoreArguments& arguments, const RowShare& share, const JobContext& job);

/// Opens the audit file of --open and adds the models of the command line to its audit.
/// @throws as readAuditFile() and addModels()
std::shared_ptr<const AuditResult> openAudit(const ScoreArguments& arguments, const JobContext& job);

/// The requested curves over subsets, with the files that they need.
/// @throws as readEmbeddings(), and Error{BadInput} when dimensions differ
CurveRequest loadCurves(const ScoreArguments& arguments, const EmbeddingSet& real, const JobContext& job);

/// Share of the total time that reading takes, in [0, 1]. Generating the demo takes as long as auditing it; reading
/// files is a small part of every audit that is large enough for progress to matter.
double loadingShare(const ScoreArguments& arguments);

/// Prints the notes of all sets, for example about left-out data.
void printNotes(const AuditRequest& request);
/// Writes sentences for the user to stderr.
void printNotes(const std::vector<std::string>& notes);

/// The scores according to the published program of --compat, one result per model; empty without --compat.
/// @throws as computeCompat()
std::vector<CompatResult> compatOf(const AuditResult& audit, const ScoreArguments& arguments, const JobContext& job);

/// The decisions about the models' samples: those of the opened audit file; --rules replaces its rules.
Decisions decisionsFor(const AuditResult& audit, const ScoreArguments& arguments, const JobContext& job = {});

/// Audits the samples that the rules keep, one result per model; empty when no rules are given.
/// @throws as auditKept()
std::vector<KeptAudit> keptOf(const AuditResult& audit, const ScoreArguments& arguments, const JobContext& job);

/// Prints the requirements that are not met, and writes the JUnit file.
/// @return the exit code
/// @throws Error{WriteFailed}
int exitCodeOfRequirements(const AuditResult& audit, const ScoreArguments& arguments, std::span<const KeptAudit> kept);

/// Computes a recorded audit again and prints whether the recorded values are confirmed.
/// @return the exit code
/// @throws as readAuditFile() and runAudit()
int replay(const ScoreArguments& arguments, ProgressBar& bar, const JobContext& job);

/// Contents of a report besides the audit: the decisions and their effect. Empty when no report is requested.
ReportParts reportParts(const AuditResult& audit, const ScoreArguments& arguments, std::vector<KeptAudit> kept);

/// Writes all requested outputs.
/// @throws Error{WriteFailed}; Cancelled
void writeOutputs(const AuditResult& audit, const ScoreArguments& arguments, std::span<const CompatResult> compat = {},
                  std::span<const KeptAudit> kept = {}, const JobContext& job = {});

/// Runs `work` and turns its exceptions into an exit code and a message. All exceptions are caught here.
JobOutcome outcomeOf(const Interrupt& interrupt, const std::function<int()>& work);

/// Prints the message of an outcome, if it has one.
/// @return the exit code
int printOutcome(const JobOutcome& outcome, ProgressBar& bar);

} // namespace assay
