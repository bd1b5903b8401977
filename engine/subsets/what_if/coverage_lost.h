#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

struct AuditResult;

/// Real samples that are covered by a model's samples, but by none of the kept ones: no kept sample lies within the
/// distance of their k-th nearest real neighbour. Ascending rows.
struct CoverageLost {
    std::vector<std::uint32_t> real;
    /// Synthetic rows that would cover them again: of each lost sample the nearest one of the model's.
    std::vector<std::uint32_t> coverers;

    friend bool operator==(const CoverageLost&, const CoverageLost&) = default;
};

/// O(N) look-ups, and a scan of the kept samples for each real one whose stored neighbours are all rejected and all
/// within its ball.
/// @param model index into audit.models @param kept one flag per synthetic row
/// @throws Cancelled
CoverageLost coverageLost(const AuditResult& audit, std::size_t model, const std::vector<bool>& kept,
                          const JobContext& job = {});

} // namespace assay
