#pragma once

#include "engine/audit/result/finding.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct ModelAudit;
struct RealAnalysis;
struct RealDescription;

/// Every kind, in the order in which equally severe findings come.
std::span<const FindingKind> findingKinds();

/// What findings are made from: one model's audit, all but its findings.
struct Subject {
    const RealAnalysis& real;
    const RealDescription* described; ///< null where there are the tables alone
    const ModelAudit* heldOut;        ///< audit of the held-out set, or null
    const ModelAudit& model;
    double falseDiscoveryRate;
};

/// What is wrong with one model, most severe first; nothing where it is as good as real as far as the tests can show.
/// O(N + M).
std::vector<Finding> findingsOf(const Subject& subject);

/// The one sentence that sums the model up: "31 % of its samples are over-represented: most look like noise; the rest
/// is as good as real."
std::string summaryOf(const Subject& subject, std::span<const Finding> findings);

/// Whether a finding marks the model.
bool isMarked(const ModelAudit& model);

/// A verdict's rule: keeps what is accused of nothing.
FilterRule verdictRule();

} // namespace assay
