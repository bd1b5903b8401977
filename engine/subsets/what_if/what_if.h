#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/subsets/rules/filter.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace assay {

/// What an audit of the kept samples alone would say.
struct WhatIfResult {
    std::size_t keptCount = 0;
    std::vector<MetricValue> metrics; ///< in catalogue order

    /// Value of a metric. @throws Error{InvalidArgument} for an unknown id
    double metric(std::string_view id) const;
};

/// The metrics of one model for any subset of its synthetic samples, equal to what runAudit returns for a set of the
/// kept rows alone, in their order: to the last bit those that need the tables alone, but for rounding the others.
///
/// The subset's neighbour tables and ball counts are read from the audit's tables; where those run out (all 32 stored
/// neighbours of a sample were removed, say) the sample's neighbours are searched again, and what is found is kept for
/// later changes. The metrics are then computed by the catalogue's own functions. See docs/what_if.md.
///
/// One thread at a time: calls change what is kept for later, never the answers.
class WhatIf {
public:
    /// @param audit a finished audit; shared, never changed
    /// @param model index into audit->models
    /// @param options backend (Auto: the one that the audit took) and threads; k and seed are the audit's
    /// @param bytesPerSample bound on the memory held for later changes, per real and synthetic sample; 0 keeps nothing
    /// @param scores which metrics
    /// @throws Error{InvalidArgument} when there is no such model
    WhatIf(std::shared_ptr<const AuditResult> audit, std::size_t model, const AuditOptions& options = {},
           std::size_t bytesPerSample = kBytesPerSample, SubsetScores scores = SubsetScores::Tables);
    ~WhatIf();
    WhatIf(WhatIf&&) noexcept;
    WhatIf& operator=(WhatIf&&) noexcept;

    /// These metrics for the kept samples. O(N k + M k), plus the searches for samples whose lists run out.
    /// @param kept one flag per synthetic row, more than k of them set
    /// @throws Error{InvalidArgument} when there are fewer or more flags than rows, or at most k rows are kept;
    /// Cancelled
    WhatIfResult evaluate(const std::vector<bool>& kept, const JobContext& job = {});

    /// Searches ahead for a sweep of one threshold, so that no change on the way has to: about the work of the model's
    /// own audit, once. Only speed depends on it. Ends early where the memory bound is reached.
    /// @param score one value per synthetic row: what the threshold is put on; not-a-number is never kept
    /// @param bound which side of the threshold is kept
    /// @param others rows that all other rules keep; empty for all rows
    /// @throws Error{InvalidArgument} when a size is not the number of synthetic rows; Cancelled, keeping what was done
    void prepare(std::span<const double> score, Bound bound, const std::vector<bool>& others = {},
                 const JobContext& job = {});

    /// Memory held for later changes, in bytes.
    std::size_t bytes() const;

    static constexpr std::size_t kBytesPerSample = 2048;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace assay
