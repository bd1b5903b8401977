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
struct ModelAudit;
struct RealAnalysis;
struct RealDescription;

/// All kinds of findings, in the order of equally severe findings.
std::span<const FindingKind> findingKinds();

/// Input of the findings: one model's audit without its findings.
struct FindingInputs {
    const RealAnalysis& real;
    const RealDescription* described; ///< null if only the neighbour tables were computed
    const ModelAudit* heldOut;        ///< audit of the held-out set; null without one
    const ModelAudit& model;
    double falseDiscoveryRate;
};

/// Problems of one model, most severe first; empty if there is nothing to report. O(N + M).
std::vector<Finding> findingsOf(const FindingInputs& in);

/// The findings in one or a few sentences: "31 % of its samples crowd into regions with almost no real data. The rest
/// are as good as real ones."
std::string summaryOf(const FindingInputs& in, std::span<const Finding> findings);

/// Note on a model whose verdicts rest on earlier statistics (ModelAudit::verdictStatistics).
/// @param judgedBy program and date, such as "Assay 0.1.0, 2026-03-01"
Finding oldVerdicts(const std::string& judgedBy);

/// Share of a model's samples that are bad and can be named: rejected, or of a combination of categories that is new or
/// crowded.  @pre the model has verdicts
double namedShare(const ModelAudit& model, std::span<const Finding> findings);

/// Share of a model's samples that are bad, named or not: `estimated_bad` without what missing classes or regions
/// explain, as samples are too frequent everywhere else then; at least namedShare(). A class that has samples, but not
/// where the real ones are, explains nothing.
/// @param findings those on missing classes and regions, among others  @pre the model has verdicts
double badShare(const ModelAudit& model, std::span<const Finding> findings);

/// Interval of badShare(): that of `estimated_bad`, moved with it. Empty if that has none.  @pre the model has verdicts
std::optional<MetricInterval> badInterval(const ModelAudit& model, std::span<const Finding> findings);

/// Whether at least one finding marks the model (Finding::marks()).
bool isMarked(const ModelAudit& model);

/// The model whose marking findings concern the largest share of samples, copies counted twice: a model that hands out
/// its training data is news even if another one makes more bad samples. Of equal ones, and without marks, the first.
/// @pre the audit has a model
std::size_t gravestModel(const AuditResult& audit);

/// Rule that keeps the samples with the verdict `good`.
FilterRule verdictRule();

} // namespace assay
