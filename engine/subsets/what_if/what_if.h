#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/metrics/tables/metric.h"

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace assay {

class SubsetAudit;
struct WhatIfTables;

/// Metrics of an audit of the kept samples only.
struct WhatIfResult {
    std::size_t keptCount = 0;
    std::vector<MetricValue> metrics; ///< in catalogue order

    /// Value of a metric.
    /// @throws Error{InvalidArgument} for an id that was not computed
    double metric(std::string_view id) const;
};

/// Computes the metrics of one model for any subset of its synthetic samples. The values equal those of runAudit() for
/// a set of the kept rows, in their order: exactly for metrics that need only the neighbour tables, up to rounding for
/// the others.
///
/// The subset's neighbour tables and ball counts are read from the audit's tables. If a list runs out (for example
/// because all 32 stored neighbours of a sample were removed), the sample's neighbours are searched again, and the list
/// is cached for later changes. The catalogue's own functions then compute the metrics. See docs/what_if.md.
///
/// Not thread-safe: calls change the cache, but never the results.
class WhatIf {
public:
    /// @param audit a finished audit; shared, never changed
    /// @param model index into audit->models
    /// @param options backend (Auto: the audit's backend) and threads; k and seed are the audit's
    /// @param bytesPerSample limit of the cache, in bytes per real and synthetic sample; 0 disables the cache
    /// @param scores which metrics to compute
    /// @throws Error{InvalidArgument} if there is no such model
    WhatIf(std::shared_ptr<const AuditResult> audit, std::size_t model, const AuditOptions& options = {},
           std::size_t bytesPerSample = kBytesPerSample, SubsetScores scores = SubsetScores::Tables);
    ~WhatIf();
    WhatIf(WhatIf&&) noexcept;
    WhatIf& operator=(WhatIf&&) noexcept;

    /// Computes the metrics for the kept samples. O(N k + M k), plus searches for samples whose lists run out.
    /// @param kept one flag per synthetic row, more than k of them set
    /// @throws Error{InvalidArgument} if the number of flags differs from the number of rows, or if at most k rows are
    /// kept; Cancelled
    WhatIfResult evaluate(const std::vector<bool>& kept, const JobContext& job = {});

    /// Size of the cache in bytes.
    std::size_t bytes() const;

    static constexpr std::size_t kBytesPerSample = 2048;

private:
    std::unique_ptr<WhatIfTables> tables_;
    std::unique_ptr<SubsetAudit> subsetAudit_;
};

} // namespace assay
