#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/metrics/catalog/catalog.h"

#include <cstddef>
#include <memory>

namespace assay {

/// Parts of one size that the sample-size curve audits at most.
inline constexpr std::size_t kMostSampleSizeParts = 16;

/// How the metrics depend on the number of samples: both sets are cut at random into 2, 4, 8, .. parts of equal size,
/// each pair of parts is audited, and their mean is the point at that size; the last point is the audit of everything.
///
/// The parts have no sample in common, so their scatter tells the deviation s of a score at one sample, score(n)
/// scattering by s / sqrt(n): s^2 is pooled over all sizes from n times the parts' variance. Each line's band is the
/// mean of one score's 95 % interval, mean -+ 1.96 s / sqrt(n), as far as the metric can reach (rangeOf); empty where
/// no size has two parts.
/// x: synthetic samples, ascending. Parts have more than 4 k and at least 50 samples of either set.
/// @param options backend, threads and memory limit; k and seed are the audit's
/// @throws Cancelled
CurveValues sampleSizeCurve(const std::shared_ptr<const AuditResult>& audit, std::size_t model,
                            const AuditOptions& options = {}, const JobContext& job = {});

} // namespace assay
