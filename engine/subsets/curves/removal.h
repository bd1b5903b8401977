#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/metrics/tables/metric.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace assay {

/// Synthetic rows, worst first by the column's `better`; for a neutral column the highest values first. Ties are in
/// seeded random order; NaN comes first.
std::vector<std::uint32_t> worstFirst(std::span<const double> score, Direction better, std::uint64_t seed);

/// Whether the column can order samples for removal: it is a score of the synthetic side in the catalogue and not a row
/// index.
bool canDiscardBy(std::string_view column);

/// Every drawn metric as a function of the share of synthetic samples discarded, x = 0, 0.1, .., 0.9. There are two
/// lines per metric: one for removal worst-first, and "<metric>/random" for random removal of equally many samples.
/// Points that would keep at most k samples are left out.
/// @param model index into audit->models
/// @param column id of a synthetic-side column
/// @throws Error{InvalidArgument} for a column that cannot be used; Cancelled
CurveValues discardCurve(const std::shared_ptr<const AuditResult>& audit, std::size_t model, std::string_view column,
                         const AuditOptions& options = {}, const JobContext& job = {});

/// The trade-off of PCE and RE: the lines "pce", "re", "pce/random" and "re/random" of the discard curve by column pce.
/// PCE is drawn against RE. Source: Fox, Swarup, Adiga, AAAI 2025, section 5.3.
CurveValues pceReTradeoff(const CurveValues& discardedByPce);

/// Utility and membership as a function of the share of synthetic samples discarded, x = 0, 0.1, .., 0.9, worst first
/// by a column. Two lines per score that there is, "utility_accuracy" and "utility_accuracy/random", as in
/// discardCurve().
/// @param column id of a synthetic-side column
/// @throws Error{InvalidArgument} for a column that cannot be used; Cancelled
CurveValues usefulCurve(const std::shared_ptr<const AuditResult>& audit, std::size_t model, std::string_view column,
                        const AuditOptions& options = {}, const JobContext& job = {});

/// Order in which to remove synthetic samples to raise fidelity with little loss of coverage. The next sample is the
/// remaining one with the smallest fidelity + weight * (number of real samples that no other remaining sample covers);
/// ties by row. Weight 0 is the ranking by fidelity. The stored neighbours of a real sample define which samples cover
/// it. If its ball contains more samples, the unlisted ones count as never removed. O(N k + M log M).
/// @param model index into audit.models
/// @param weight >= 0
/// @return all synthetic rows
/// @throws Cancelled
std::vector<std::uint32_t> removalOrder(const AuditResult& audit, std::size_t model, double weight,
                                        const JobContext& job = {});

/// Scores of the samples that remain after a removal.
struct RemovalScores {
    double aim = 0.0;      ///< the score that is aimed at
    double coverage = 0.0; ///< coverage
};

/// A set of samples to remove for a wanted score.
struct RemovalProposal {
    std::string_view aim;            ///< `clipped_density` or `frechet_distance`
    std::vector<std::uint32_t> rows; ///< synthetic rows, ascending
    bool reached = false;            ///< whether the wanted score is reached; if not, these rows come nearest to it
    RemovalScores scores;
    /// The removal to compare with. For a clipped density: what the ranking by fidelity alone removes for the same
    /// fidelity. For a Frechet distance: as many samples at random.
    std::size_t plainCount = 0;
    RemovalScores plain;
};

/// Whether the model has the Frechet distance of its samples, so that a removal can aim at it.
bool canAimAtFrechet(const AuditResult& audit, std::size_t model);

/// Finds a removal that reaches a clipped density. It tries removal orders with several weights and chooses the one
/// that leaves the highest coverage; of equal ones the smallest removal. Scores are exact (WhatIf).
/// @param model index into audit->models
/// @param wanted clipped density to reach
/// @throws Error{InvalidArgument} if `wanted` is not finite; Cancelled
RemovalProposal proposeRemoval(const std::shared_ptr<const AuditResult>& audit, std::size_t model, double wanted,
                               const AuditOptions& options = {}, const JobContext& job = {});

/// Finds a removal that brings the Frechet distance down to a wanted one. In rounds it removes up to a twentieth of the
/// samples, those with the largest share in the distance of what is left, as long as the distance falls; of the last
/// round only as many as needed. At least a tenth of the samples remain.
/// @param model index into audit->models; canAimAtFrechet()
/// @param wanted Frechet distance to reach
/// @throws Error{InvalidArgument} if `wanted` is not finite or there is no Frechet distance; Cancelled
RemovalProposal proposeFrechetRemoval(const std::shared_ptr<const AuditResult>& audit, std::size_t model, double wanted,
                                      const AuditOptions& options = {}, const JobContext& job = {});

/// Clipped density and coverage of the remaining samples over the share discarded, x = 0, 0.1, .., 0.9. Lines are
/// "clipped_density/WAY" and "coverage/WAY", where WAY is the removal order: `sparing` (removalOrder() with weight 1),
/// `fidelity`, `pce`, `p_any` if there are verdicts, or `random`.
/// @param model index into audit->models
/// @throws Cancelled
CurveValues removalFrontier(const std::shared_ptr<const AuditResult>& audit, std::size_t model,
                            const AuditOptions& options = {}, const JobContext& job = {});

} // namespace assay
