#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

struct AuditResult;

/// Real samples that a model's samples cover, but none of the kept ones does: no kept sample lies within the distance
/// to the real sample's k-th nearest real neighbour.
struct CoverageLost {
    std::vector<std::uint32_t> real; ///< real rows, ascending
    /// Synthetic rows that would cover them again, ascending: the nearest synthetic sample of each lost real sample.
    std::vector<std::uint32_t> coverers;

    friend bool operator==(const CoverageLost&, const CoverageLost&) = default;
};

/// Finds the real samples whose coverage is lost. O(N) look-ups, plus a scan of the kept samples for each real sample
/// whose stored neighbours are all rejected and all inside its ball.
/// @param model index into audit.models
/// @param kept one flag per synthetic row
/// @throws Cancelled
CoverageLost coverageLost(const AuditResult& audit, std::size_t model, const std::vector<bool>& kept,
                          const JobContext& job = {});

} // namespace assay
