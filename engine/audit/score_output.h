#pragma once

#include <string>

namespace assay {

struct AuditResult;
struct ModelAudit;

/// The whole audit as JSON text, indented: version, k, seed, the real set, and per model its file, SHA-256, backend,
/// seconds, every metric and curve of the catalogue by id, diagnostics, and the curves that were asked for. A value
/// that is not a number is null.
std::string scoresAsJson(const AuditResult& audit);

/// One line per synthetic sample:
/// row,id,label,fidelity,clipped_ball_count,pce,authentic,nearest_real,nearest_real_distance.
std::string syntheticScoresAsCsv(const ModelAudit& model);

/// One line per real sample: row,id,label,coverage,ball_synthetic_count,rce.
std::string realScoresAsCsv(const AuditResult& audit, const ModelAudit& model);

/// The main metrics of all models as a plain table for a terminal.
std::string scoresAsTable(const AuditResult& audit);

} // namespace assay
