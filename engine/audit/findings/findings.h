#pragma once

#include "engine/audit/result/finding.h"
#include "engine/audit/result/intervals.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay {

struct AuditResult;
struct FrechetTail;
struct GroupTests;
struct HeldOutTests;
struct ModelAudit;
struct RealAnalysis;
struct RealDescription;
struct Relabelling;
struct SetTests;
struct SampleUnits;
struct VerdictScores;

/// All kinds of findings.
std::span<const FindingKind> findingKinds();

/// Input of the findings: one model's audit without its findings, and the tests that they are made of. Tests are null
/// where they were not made, or not yet.
struct FindingInputs {
    const RealAnalysis& real;
    const RealDescription* described; ///< null if only the neighbour tables were computed
    const ModelAudit* heldOut;        ///< audit of the held-out set; null without one
    const ModelAudit& model;
    double falseDiscoveryRate;
    const VerdictScores* verdicts = nullptr;
    const Relabelling* labels = nullptr; ///< without the columns of single samples
    const HeldOutTests* membership = nullptr;
    const SetTests* tests = nullptr;
    const SampleUnits* units = nullptr; ///< which synthetic samples count as one; null in quick audits
    const FrechetTail* tail = nullptr;  ///< null in quick audits
    const GroupTests* groups = nullptr; ///< null where the real set has no groups

    /// Number of synthetic samples that are independent: of groups, where there are any.
    std::size_t unitCount() const;
};

/// Problems of one model: those that mark it first, then others that speak against it, both in the order of the
/// summary; then notes. O(N + M).
std::vector<Finding> findingsOf(const FindingInputs& in);

/// The first three sentences of what speaks against the model, or praise, which has to be earned: nothing that the
/// audit knows speaks against the model, and the intervals of both clipped scores reach 95 %.
std::string summaryOf(const FindingInputs& in, std::span<const Finding> findings);

/// Note on a model whose verdicts rest on earlier statistics (ModelAudit::verdictStatistics).
/// @param judgedBy program and date, such as "Assay 0.1.0, 2026-03-01"
Finding oldVerdicts(const std::string& judgedBy);

/// Whether at least one finding marks the model.
bool isMarked(const ModelAudit& model);

/// The model whose marking findings concern the largest share of samples, copies counted twice: a model that hands out
/// its training data is news even if another one makes more bad samples. Of equal ones, and without marks, the first.
/// @pre the audit has a model
std::size_t gravestModel(const AuditResult& audit);

/// Rule that keeps the samples with the verdict `good`.
FilterRule verdictRule();

} // namespace assay
