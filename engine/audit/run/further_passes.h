#pragma once

#include "engine/audit/run/audit.h"
#include "engine/audit/run/stages.h"
#include "engine/base/job_context.h"
#include "engine/metrics/one_class/alpha_beta.h"
#include "engine/metrics/one_class/one_class_network.h"
#include "engine/metrics/verdicts/sample_units.h"

#include <memory>
#include <optional>

namespace assay {

/// Trains the one-class embedding on a real set and finds the nearest neighbour of every embedded real sample.
/// @throws Error{BadInput} as trainOneClass(); Cancelled
std::shared_ptr<const RealOneClass> findOneClass(const EmbeddingSet& real, const AuditOptions& options,
                                                 const JobContext& job);

/// Evaluation tables of a synthetic set in the one-class embedding. They need a new neighbour search, because the
/// passes' tables belong to the embedding of the input files.
/// @param trained kept by reference
/// @throws Error{BadInput} if the network maps a synthetic sample to a value that is not finite; Cancelled
EvaluationTables inOneClass(const RealOneClass& trained, const EmbeddingSet& real, const EmbeddingSet& synthetic,
                            const AuditOptions& options, const JobContext& job);

/// Neighbour tables of both sets as if every group had one sample: of one row of each unit.
struct UnitTables {
    RealAnalysis real;
    ModelAudit model; ///< its set and tables alone
    std::uint64_t seed = 0;
    unsigned threads = 0;

    /// For metrics of the tables.
    MetricInputs inputs() const;
};

/// @param state with the partition of the real set
/// @param search of this process
/// @return nothing where either set has too few units for its k
/// @throws Cancelled
std::optional<UnitTables> tablesOfUnits(const ModelState& state, const SampleUnits& units, const NeighborSearch& search,
                                        const JobContext& job);

} // namespace assay
