#pragma once

#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/subsets/rules/filter.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace assay {

/// What is left of a model, audited as a set of its own, beside as many samples drawn at random: only what the kept
/// ones score better than these was gained by choosing.
struct KeptAudit {
    std::size_t keptCount = 0;
    std::size_t rejectedCount = 0;
    /// Audits of a set of the kept rows alone, in their order, and of the random ones; null where too few are kept.
    std::shared_ptr<const ModelAudit> kept;
    std::shared_ptr<const ModelAudit> random;
    std::optional<double> falseAlarmRate; ///< as falseAlarmRate()
};

/// As many rows as are kept, drawn at random; the same ones for the same numbers.
std::vector<bool> randomRows(std::size_t rows, std::size_t count);

/// The same of rows that are known, without `falseAlarmRate`. @param kept one flag per synthetic row
KeptAudit auditKept(const AuditResult& audit, std::size_t model, const std::vector<bool>& kept,
                    AuditOptions options = {}, const JobContext& job = {});

/// Audits what a filter keeps of a model. Two model audits: as long as those of the model itself.
/// @param model index into audit.models @param options backend, threads and memory; all else is the audit's
/// @throws as AppliedFilter and addModels
KeptAudit auditKept(const AuditResult& audit, std::size_t model, const SampleFilter& filter, AuditOptions options = {},
                    const JobContext& job = {});

/// How an audit was made, for what is added to it. @param options backend, threads and memory to take
AuditOptions optionsOf(const AuditResult& audit, AuditOptions options = {});

} // namespace assay
