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

} // namespace assay
