#pragma once

#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/subsets/rules/filter.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace assay {

struct AuditResult;

/// Audit of the kept samples of a model as a separate set, and of an equal number of random samples for comparison.
/// Only the difference between the two is due to the choice of samples.
struct KeptAudit {
    std::size_t keptCount = 0;
    std::size_t rejectedCount = 0;
    /// Audits of the kept rows, in their order, and of the random rows; null if at most k samples are kept.
    std::shared_ptr<const ModelAudit> kept;
    std::shared_ptr<const ModelAudit> random;
    std::optional<double> falseAlarmRate; ///< result of falseAlarmRate()
};

/// Draws `count` of `rows` rows at random; equal arguments give equal rows.
/// @return one flag per row
std::vector<bool> randomRows(std::size_t rows, std::size_t count);

/// Audits given rows of a model; `falseAlarmRate` stays empty.
/// @param model index into audit.models
/// @param kept one flag per synthetic row
/// @param options backend, threads and memory limit; all others are the audit's
/// @throws as addModels()
KeptAudit auditKept(const AuditResult& audit, std::size_t model, const std::vector<bool>& kept,
                    AuditOptions options = {}, const JobContext& job = {});

/// Audits the samples that a filter keeps. Runs two model audits, each about as long as the model's own.
/// @param model index into audit.models
/// @param options backend, threads and memory limit; all others are the audit's
/// @throws as AppliedFilter and addModels()
KeptAudit auditKept(const AuditResult& audit, std::size_t model, const SampleFilter& filter, AuditOptions options = {},
                    const JobContext& job = {});

/// Options with which an audit was made, for computations that extend it.
/// @param options backend, threads and memory limit to use
AuditOptions optionsOf(const AuditResult& audit, AuditOptions options = {});

/// Real samples that a model's samples cover, but none of the kept ones does: no kept sample lies within the distance
/// to the real sample's k-th nearest real neighbour.
struct CoverageLost {
    std::vector<std::uint32_t> real; ///< real rows, ascending
    /// Synthetic rows that would cover them again, ascending: the nearest synthetic sample of each lost real sample.
    std::vector<std::uint32_t> coverers;

    friend bool operator==(const CoverageLost&, const CoverageLost&) = default;
};

/// Finds the real samples whose coverage is lost. O(N) look-ups, plus a scan of the kept samples for each real sample
/// whose stored neighbours are all rejected and all inside its ball.
/// @param model index into audit.models
/// @param kept one flag per synthetic row
/// @throws Cancelled
CoverageLost coverageLost(const AuditResult& audit, std::size_t model, const std::vector<bool>& kept,
                          const JobContext& job = {});

} // namespace assay
