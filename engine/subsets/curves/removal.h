#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/metrics/catalog/catalog.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace assay {

/// Synthetic rows in the order in which to remove them for fidelity at little loss of coverage: the next is always the
/// one of the smallest fidelity + weight * (real samples that it alone covers among those that are left); of equal ones
/// the first of the file. A weight of 0 is the plain ranking by fidelity. What covers a real sample is known from the
/// stored neighbours: of a ball that holds more the others count as never removed. O(N k + M log M).
/// @param model index into audit.models @param weight >= 0 @throws Cancelled
std::vector<std::uint32_t> removalOrder(const AuditResult& audit, std::size_t model, double weight,
                                        const JobContext& job = {});

/// What to remove for a wanted fidelity.
struct RemovalProposal {
    std::vector<std::uint32_t> rows; ///< synthetic rows, ascending
    bool reached = false;            ///< whether the fidelity is reached; else these rows come nearest to it
    double fidelity = 0.0;           ///< clipped_density of what is left
    double coverage = 0.0;           ///< coverage of what is left
    std::size_t plainCount = 0;      ///< what the ranking by fidelity alone would remove for the same
    double plainCoverage = 0.0;      ///< and the coverage that it would leave
};

/// The removal that reaches a clipped density and leaves most coverage, of a few that weigh coverage more or less; of
/// equal ones the smallest. Scores are exact (WhatIf).
/// @throws Error{InvalidArgument} for a wanted value that is no number; Cancelled
RemovalProposal proposeRemoval(const std::shared_ptr<const AuditResult>& audit, std::size_t model, double wanted,
                               const AuditOptions& options = {}, const JobContext& job = {});

/// Clipped density and coverage of what is left, x = share discarded 0, 0.1, .., 0.9: lines "clipped_density/WAY" and
/// "coverage/WAY", where WAY is `sparing` (removalOrder with weight 1), `fidelity`, `pce`, `p_any` where there are
/// verdicts, and `random`. @throws Cancelled
CurveValues removalFrontier(const std::shared_ptr<const AuditResult>& audit, std::size_t model,
                            const AuditOptions& options = {}, const JobContext& job = {});

} // namespace assay
