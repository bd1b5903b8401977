#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/metrics/one_class/alpha_beta.h"
#include "engine/metrics/one_class/one_class_training.h"

#include <memory>
#include <optional>
#include <span>

namespace assay {

/// Trains the one-class embedding on a real set and finds the embedded samples' nearest ones.
/// @param accelerator for the training, or null
/// @throws Error{BadInput} as trainOneClass; Cancelled
std::shared_ptr<const RealOneClass> findOneClass(const EmbeddingSet& real, const AuditOptions& options,
                                                 const Accelerator* accelerator, const JobContext& job);

/// One model in every evaluation embedding that its audit has.
struct EvaluationEmbeddings {
    std::optional<EvaluationTables> identity; ///< there where the real set's centre is
    std::optional<EvaluationTables> oneClass; ///< there where the one-class embedding was trained
};

/// A synthetic set in the embedding as it is.
/// @param centre of the real set, kept by reference
/// @param mean of the synthetic set's columns @param tables of its finished passes @throws Cancelled
EvaluationTables inIdentity(const RealCentre& centre, const RealAnalysis& real, const EmbeddingSet& synthetic,
                            std::span<const double> mean, const PairTables& tables, unsigned threads,
                            const JobContext& job);

/// @param real kept by reference
/// @param mean of the synthetic set's columns
/// @param tables of the model's finished passes: the identity's neighbours
/// @throws Error{BadInput} when the network's images of the synthetic samples are not finite; Cancelled
EvaluationEmbeddings evaluate(const RealAnalysis& real, const EmbeddingSet& synthetic, std::span<const double> mean,
                              const PairTables& tables, const AuditOptions& options, const JobContext& job);

} // namespace assay
