#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/metrics/catalog/catalog.h"

#include <cstddef>
#include <memory>

namespace assay {

/// Largest number of parts of one size that the sample-size curve audits.
inline constexpr std::size_t kMaxSampleSizeParts = 16;

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

} // namespace assay
