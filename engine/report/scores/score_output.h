#pragma once

#include "engine/base/job_context.h"
#include "engine/compat/programs.h"
#include "engine/subsets/rules/filter.h"
#include "engine/subsets/what_if/kept_audit.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace assay {

struct AuditResult;
struct MetricValue;
struct ModelAudit;

/// Version of the JSON text. It increases when a key changes its meaning or is removed, not when a key is added
/// (docs/output.md).
constexpr int kJsonSchema = 1;

/// The whole audit as indented JSON text, described in docs/output.md. NaN and infinite values become null.
/// @param compat scores by one published program, one per model; may be empty
std::string scoresAsJson(const AuditResult& audit, std::span<const CompatResult> compat = {});

/// Metrics by id as the JSON text of one object; counts are written as integers.
std::string metricsAsJson(std::span<const MetricValue> metrics);

/// CSV with one line per synthetic sample: row,id,label and all computed columns of the synthetic side. The order of
/// the columns is fixed; later versions add columns only at the end.
std::string syntheticScoresAsCsv(const AuditResult& audit, const ModelAudit& model);

/// CSV with one line per real sample: row,id,label and all computed columns of the real side.
std::string realScoresAsCsv(const AuditResult& audit, const ModelAudit& model);

/// The main metrics of all models as a plain table for a terminal.
std::string scoresAsTable(const AuditResult& audit);

/// Headline scores as a plain table, one line per model.
std::string headlineTable(const std::vector<const ModelAudit*>& models);

/// Scores by a published program as a plain table for a terminal, without curves.
std::string compatAsTable(const AuditResult& audit, std::span<const CompatResult> compat);

/// Adds the results of the rules to the JSON text of an audit (scoresAsJson): `rules`, `match`, and `kept` for each
/// model (docs/output.md).
/// @param kept one per model
std::string withKeptAsJson(const std::string& json, const FilterRules& rules, std::span<const KeptAudit> kept);

/// A plain table for a terminal: scores of each model's kept samples, of all its samples, and of as many random
/// samples.
std::string keptAsTable(const AuditResult& audit, const FilterRules& rules, std::span<const KeptAudit> kept);

struct ExternalScores;
struct WhatIfResult;

/// The decisions about the samples of a model.
struct DecidedModel {
    std::size_t model = 0; ///< index into AuditResult::models
    const SampleFilter& filter;
    const WhatIfResult* scores = nullptr;     ///< of the kept samples; null when unknown
    const ExternalScores* external = nullptr; ///< figures of models from elsewhere; null or empty for none
};

/// Writes a report that others can verify: the audit as assay-score --json writes it, with the rules, the samples
/// rejected and kept by hand, the kept samples of one model and their scores (docs/output.md). The file appears either
/// complete or not at all.
/// @throws Error{InvalidArgument} for a rule that does not fit; Error{WriteFailed} naming the file; Cancelled
void exportReport(const AuditResult& audit, const DecidedModel& decided, const std::filesystem::path& file,
                  const JobContext& job = {});

} // namespace assay
