#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/metrics/tables/metric.h"
#include "engine/subsets/curves/bad_fraction.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay {

/// The metrics as a function of the number of samples. Both sets are divided at random into 2, 4, 8, .. parts of equal
/// size, and each pair of parts is audited. The mean of the scores is the point at that size; the last point is the
/// full audit.
///
/// The parts are disjoint, so their scatter estimates s, where score(n) has the standard deviation s / sqrt(n). s^2 is
/// pooled over all sizes from n times the variance of the parts. The band of each line is the 95 % range of one score,
/// mean -+ 1.96 s / sqrt(n), limited to the metric's range (rangeOf()). It is empty if no size has two parts.
///
/// x is the number of synthetic samples, ascending. Parts have more than 4 k and at least 50 samples of either set.
/// @param model index into audit->models
/// @param options backend, threads and memory limit; k and seed are the audit's
/// @throws Cancelled
CurveValues sampleSizeCurve(const std::shared_ptr<const AuditResult>& audit, std::size_t model,
                            const AuditOptions& options = {}, const JobContext& job = {});

/// Curves to compute in addition to those of every audit.
struct CurveRequest {
    std::optional<BadFractionRequest> badFraction; ///< bad-fraction curves of the audit; empty: none
    bool sampleSize = false;                       ///< sample-size curve of every model
    std::vector<std::string> discard;              ///< for every model: columns whose worst samples are discarded
    std::vector<std::string> useful{};             ///< the same for utility and membership, which train anew
    bool frontier = false;                         ///< removal frontier of every model: fidelity against coverage

    bool empty() const { return !badFraction && !sampleSize && discard.empty() && useful.empty() && !frontier; }
};

/// Begins the keys of curves by a score; likewise of those of utility and membership.
constexpr std::string_view kDiscardBy = "discard_by_";
constexpr std::string_view kUsefulBy = "useful_by_";
/// The request for the curve of a key (RequestedCurve::key).
CurveRequest requestForCurve(std::string_view key);
/// The key of the first curve that a request is for.
std::string firstCurveOf(const CurveRequest& request);
/// The scores that the samples of every model can be discarded by, in the catalogue's order.
std::vector<const Column*> discardColumns(const AuditResult& audit);

/// The curves that are computed on request.
std::span<const Curve> requestedCurveCatalog();
/// The row with this id in this catalogue or in curveCatalog(), or null.
const Curve* findAnyCurve(std::string_view id);

/// Computes curves and returns the audit with them in AuditResult::curves, where they replace curves of equal key and
/// model; all other parts are shared. Discarding by column pce also adds the PCE-RE trade-off. The good samples of a
/// bad-fraction curve are those of the request, else the audit's held-out set, else half of the real set.
/// @param options backend, threads and memory limit; k and seed are the audit's
/// @throws Error{InvalidArgument} for a column that cannot order samples for removal, for a set that is too small, or
/// for an audit that several processes share; Error{BadInput} when dimensions differ; Cancelled
std::shared_ptr<const AuditResult> withCurves(const std::shared_ptr<const AuditResult>& audit,
                                              const CurveRequest& request, const AuditOptions& options,
                                              const JobContext& job = {});

/// The audit's curve of this key and model, or null.
/// @param model name of the model; empty for a curve of the whole audit
const RequestedCurve* findRequestedCurve(const AuditResult& audit, std::string_view key, std::string_view model = {});

} // namespace assay
