#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/subsets/curves/bad_fraction.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay {

/// Which curves to compute beyond those of every audit.
struct CurveRequest {
    std::optional<BadFractionRequest> badFraction; ///< of the audit
    bool sampleSize = false;                       ///< of every model
    std::vector<std::string> discard;              ///< of every model: columns to remove samples by
    bool frontier = false;                         ///< of every model: fidelity against coverage as samples go

    bool empty() const { return !badFraction && !sampleSize && discard.empty() && !frontier; }
};

/// What can be asked for: id, titles, units and definition of each; `compute` is null.
std::span<const Curve> demandedCurveCatalog();
/// The row with this id in either catalogue, or null.
const Curve* findAnyCurve(std::string_view id);

/// The audit with these curves added to AuditResult::curves, in place of those of the same key and model; everything
/// else is shared with it. By column pce the PCE-RE trade-off comes too. Good samples of a bad-fraction curve are the
/// audit's held-out set where it has one and the request names no others.
/// @param options backend, threads and memory limit; k and seed are the audit's
/// @throws Error{InvalidArgument} for a column that samples cannot be removed by, for a set too small, or an audit that
///         several machines share; Error{BadInput} when dimensions differ; Cancelled
std::shared_ptr<const AuditResult> withCurves(const std::shared_ptr<const AuditResult>& audit,
                                              const CurveRequest& request, const AuditOptions& options,
                                              const JobContext& job = {});

/// The audit's demanded curve of this key and model, or null. @param model empty for one of the whole audit
const DemandedCurve* findDemanded(const AuditResult& audit, std::string_view key, std::string_view model = {});

} // namespace assay
