#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/metrics/one_class/alpha_beta.h"
#include "engine/metrics/one_class/one_class_training.h"

#include <memory>
#include <span>

namespace assay {

/// Trains the one-class embedding on a real set and finds the embedded samples' nearest ones.
/// @param accelerator for the training, or null
/// @throws Error{BadInput} as trainOneClass; Cancelled
std::shared_ptr<const RealOneClass> findOneClass(const EmbeddingSet& real, const AuditOptions& options,
                                                 const Accelerator* accelerator, const JobContext& job);

/// A synthetic set in the embedding as it is.
/// @param centre of the real set, kept by reference @param tables of the finished passes @throws Cancelled
EvaluationTables inIdentity(const RealCentre& centre, const RealAnalysis& real, const PairTables& tables,
                            const EvaluationTables::Synthetic& synthetic, const ComputeContext& context);

/// A synthetic set in the one-class embedding, which is searched: the passes' tables do not serve there.
/// @param trained kept by reference
/// @throws Error{BadInput} when the network's images of the synthetic samples are not finite; Cancelled
EvaluationTables inOneClass(const RealOneClass& trained, const EmbeddingSet& real, const EmbeddingSet& synthetic,
                            const AuditOptions& options, const JobContext& job);

} // namespace assay
