#pragma once

#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/metrics/tables/metric.h"

#include <cstddef>
#include <memory>
#include <string_view>

namespace assay {

/// Utility and membership as a function of the share of synthetic samples discarded, x = 0, 0.1, .., 0.9, worst first
/// by a column. Two lines per score that there is, "utility_accuracy" and "utility_accuracy/random", as in
/// discardCurve().
/// @param column id of a synthetic-side column
/// @throws Error{InvalidArgument} for a column that cannot be used; Cancelled
CurveValues usefulCurve(const std::shared_ptr<const AuditResult>& audit, std::size_t model, std::string_view column,
                        const AuditOptions& options = {}, const JobContext& job = {});

} // namespace assay
