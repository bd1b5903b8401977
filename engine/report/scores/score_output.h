#pragma once

#include "engine/compat/programs.h"

#include <span>
#include <string>
#include <vector>

namespace assay {

struct AuditResult;
struct MetricValue;
struct ModelAudit;

/// Of the JSON text: raised when a key changes its meaning or goes, not when one is added. docs/output.md tells them
/// all.
constexpr int kJsonSchema = 1;

/// The whole audit as JSON text, indented, as docs/output.md describes it. A value that is not a number is null.
/// @param compat per model, the figures of one published program; or empty
std::string scoresAsJson(const AuditResult& audit, std::span<const CompatResult> compat = {});

/// Aggregates by their ids as the JSON text of one object; counts as whole numbers, which they read better as.
std::string metricsAsJson(std::span<const MetricValue> metrics);

/// One line per synthetic sample: row,id,label and every synthetic-side column of the catalogue that was computed.
/// Columns keep their order; later versions add theirs at the end.
std::string syntheticScoresAsCsv(const ModelAudit& model);

/// One line per real sample: row,id,label and every real-side column likewise.
std::string realScoresAsCsv(const AuditResult& audit, const ModelAudit& model);

/// The main metrics of all models as a plain table for a terminal.
std::string scoresAsTable(const AuditResult& audit);

/// Their headline scores, one line per model.
std::string headlineTable(const std::vector<const ModelAudit*>& models);

/// A published program's figures of all models as a plain table, curves left out.
std::string compatAsTable(const AuditResult& audit, std::span<const CompatResult> compat);

} // namespace assay
