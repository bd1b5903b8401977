#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/metrics/catalog/catalog.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace assay {

/// Synthetic rows, worst first: by the column's `better`; for a neutral column the highest values first. Ties in seeded
/// random order, not-a-number worst of all.
std::vector<std::uint32_t> worstFirst(std::span<const double> score, Direction better, std::uint64_t seed);

/// Whether samples can be removed worst-first by this column: a synthetic-side score in the catalogue, not the row of
/// another sample.
bool canDiscardBy(std::string_view column);

/// Every metric against the share of synthetic samples discarded, x = 0, 0.1, .., 0.9: a line per metric where they are
/// removed worst-first, and one named "<metric>/random" where as many are removed at random. Points that would keep k
/// samples or fewer are left out.
/// @param column id of a synthetic-side column
/// @throws Error{InvalidArgument} for a column that cannot be used; Cancelled
CurveValues discardCurve(const std::shared_ptr<const AuditResult>& audit, std::size_t model, std::string_view column,
                         const AuditOptions& options = {}, const JobContext& job = {});

/// The trade-off of PCE and RE: the lines "pce", "re", "pce/random" and "re/random" of the curve by column pce. One is
/// drawn against the other. Source: Fox, Swarup, Adiga, AAAI 2025, section 5.3.
CurveValues pceReTradeoff(const CurveValues& discardedByPce);

} // namespace assay
