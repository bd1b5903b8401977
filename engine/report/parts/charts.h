#pragma once

#include <cstddef>

namespace assay {

struct AuditResult;
struct CurveValues;

} // namespace assay

namespace assay::report {

class HtmlWriter;

/// Clipped density against clipped coverage for all models, with intervals. Each model is a mark with its number.
void drawFidelityAndCoverage(HtmlWriter& html, const AuditResult& audit);

/// Clipped density and clipped coverage as functions of the share of bad samples, with each model at its score.
/// @param raw the audit's "bad_fraction" curve
void drawBadFraction(HtmlWriter& html, const AuditResult& audit, const CurveValues& raw);

/// Histograms of fidelity over the synthetic samples, and of coverage over the real samples.
/// @param model index into AuditResult::models
void drawFidelityHistogram(HtmlWriter& html, const AuditResult& audit, std::size_t model);
void drawCoverageHistogram(HtmlWriter& html, const AuditResult& audit, std::size_t model);

} // namespace assay::report
