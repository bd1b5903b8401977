#pragma once

#include "engine/audit/run/stages.h"
#include "engine/metrics/verdicts/sample_units.h"

#include <optional>

namespace assay {

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
