#pragma once

#include "engine/audit/result/sample_scores.h"
#include "engine/base/job_context.h"

#include <memory>

namespace assay {

struct AuditRequest;
struct ScoreArguments;

/// The sample scores of the opened audit file (null: there is none) and of --sample-scores, for the sets of the request
/// or of the opened audit. Null for none.
/// @throws Error{BadInput} as readSampleTable(), and for rules on external columns that are in none of the tables
std::shared_ptr<const SampleScores> sampleScoresFor(const ScoreArguments& arguments, const AuditRequest& request,
                                                    const AuditResult* opened, const JobContext& job);

} // namespace assay
