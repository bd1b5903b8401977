#pragma once

#include <cstddef>

namespace assay {

struct AuditResult;
struct CurveValues;
struct ModelAudit;

} // namespace assay

namespace assay::report {

class HtmlWriter;

/// Clipped density against clipped coverage of all models, with their intervals. Each model is a mark with its number.
void drawFidelityAndCoverage(HtmlWriter& html, const AuditResult& audit);

/// The lines of clipped density and clipped coverage over the share of bad samples, with each model at its score.
/// @param raw the audit's "bad_fraction" curve
void drawBadFraction(HtmlWriter& html, const AuditResult& audit, const CurveValues& raw);

/// How fidelity is spread over the synthetic samples, and coverage over the real ones. @param model index
void drawFidelityHistogram(HtmlWriter& html, const AuditResult& audit, std::size_t model);
void drawCoverageHistogram(HtmlWriter& html, const AuditResult& audit, std::size_t model);

} // namespace assay::report
