#pragma once

#include "engine/audit/run/audit.h"
#include "engine/base/ending.h"
#include "engine/base/job_context.h"
#include "engine/cli/interrupt.h"
#include "engine/cli/progress_bar.h"
#include "engine/cli/score_arguments.h"
#include "engine/compat/programs.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/report/pages/report.h"
#include "engine/store/decisions.h"
#include "engine/subsets/curves/demanded.h"
#include "engine/subsets/what_if/kept_audit.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace assay {

// The steps of assay-score, whether it runs as one process or as several.

/// What can be known to fail before minutes of work are spent: an output that would replace an input, a folder that is
/// not there. Writes nothing. @throws Error{WriteFailed}
void checkOutputs(const ScoreArguments& arguments);

/// Reads all sets, or this process's share of each. @throws as readEmbeddings
AuditRequest load(const ScoreArguments& arguments, const RowShare& share, const JobContext& job);

/// The audit of a file (--open), with the models that were asked for added to it.
/// @throws as readAuditFile and addModels
std::shared_ptr<const AuditResult> openAudit(const ScoreArguments& arguments, const JobContext& job);

/// Which curves over subsets were asked for, with the files that they need. @throws as readEmbeddings, and
/// Error{BadInput} when dimensions differ
CurveRequest loadCurves(const ScoreArguments& arguments, const EmbeddingSet& real, const JobContext& job);

/// The share of the whole work that reading is. Drawing the demo takes as long as auditing it; reading files is a small
/// part at any size worth waiting for.
double loadingShare(const ScoreArguments& arguments);

/// Tells what was left out on reading.
void printNotes(const AuditRequest& request);

/// The figures as the published program that was asked for gives them, per model; empty where none was.
/// @throws as computeCompat
std::vector<CompatResult> compatOf(const AuditResult& audit, const ScoreArguments& arguments, const JobContext& job);

/// What is decided about the models' samples: by the rules that were given, else by the audit file that was opened.
Decisions decisionsFor(const AuditResult& audit, const ScoreArguments& arguments);

/// What the rules keep of each model; nothing where nobody asked. @throws as auditKept
std::vector<KeptAudit> keptOf(const AuditResult& audit, const ScoreArguments& arguments, const JobContext& job);

/// Says which requirements are not met, and writes the JUnit file. @return the exit code @throws Error{WriteFailed}
int checkGate(const AuditResult& audit, const ScoreArguments& arguments, std::span<const KeptAudit> kept);

/// Computes a recorded audit again and prints whether the record holds. @return the exit code
/// @throws as readAuditFile and runAudit
int replay(const ScoreArguments& arguments, ProgressBar& bar, const JobContext& job);

/// What a report contains beyond the audit: what was decided, and what that did. Nothing where no report is asked for.
ReportParts reportParts(const AuditResult& audit, const ScoreArguments& arguments, std::vector<KeptAudit> kept);

/// @throws Error{WriteFailed}; Cancelled
void writeOutputs(const AuditResult& audit, const ScoreArguments& arguments, std::span<const CompatResult> compat = {},
                  std::span<const KeptAudit> kept = {}, const JobContext& job = {});

/// Runs the work and reports how it ended: the only place that catches.
Ending endingOf(const Interrupt& interrupt, const std::function<int()>& work);

/// Says what went wrong, if something did. @return the exit code
int tell(const Ending& ending, ProgressBar& bar);

} // namespace assay
