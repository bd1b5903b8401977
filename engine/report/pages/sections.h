#pragma once

#include "engine/report/pages/report.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace assay {

struct AuditResult;
struct Column;
struct ModelAudit;
class JobContext;

} // namespace assay

/// The sections of the HTML report, in the order of the page. Each writes its heading first.
namespace assay::report {

class HtmlWriter;

/// The verdict on each model, with its uncertainty.
void writeVerdicts(HtmlWriter& html, const AuditResult& audit);

/// Charts and tables that compare all models.
void writeComparison(HtmlWriter& html, const AuditResult& audit);

/// Scores along each run of models; called by writeComparison().
void writeRuns(HtmlWriter& html, const AuditResult& audit);

/// A page about one model: its findings, how its scores are spread, and what was decided.
/// @param decided decisions about its samples; null for none
void writeModel(HtmlWriter& html, const AuditResult& audit, std::size_t model, const KeptSamples* decided);
/// The rest that is known of one model. @throws Cancelled
void writeAppendix(HtmlWriter& html, const AuditResult& audit, std::size_t model, const JobContext& job);
/// Scores by class, when a set has labels; called by writeAppendix().
void writeClasses(HtmlWriter& html, const AuditResult& audit, std::size_t model);
/// Real samples that the model misses, in groups that lie together; called by writeAppendix().
void writeHoles(HtmlWriter& html, const AuditResult& audit, std::size_t model, const JobContext& job);
/// Differences in features, pairs of features, categories and missing values; called by writeAppendix().
void writeFeatures(HtmlWriter& html, const AuditResult& audit, std::size_t model);
/// Utility of the samples, and whether they give training samples away; called by writeAppendix().
void writeUseful(HtmlWriter& html, const AuditResult& audit, std::size_t model);
/// Galleries of ranked samples with their nearest real neighbours; called by writeAppendix().
void writeGalleries(HtmlWriter& html, const AuditResult& audit, std::size_t model, const JobContext& job);

/// Figures of models from elsewhere, and which metrics follow them.
void writeExternal(HtmlWriter& html, const AuditResult& audit, const ExternalScores& scores);

/// Definitions and sources of the scores; with the appendix, those of samples too, and the formulas' symbols.
void writeMethods(HtmlWriter& html, const AuditResult& audit, Appendix appendix);

/// Parameters, inputs, and the command that repeats the audit.
void writeProvenance(HtmlWriter& html, const AuditResult& audit, const std::string& command);

/// Rows of a model's samples, ranked by one score, for display.
struct SampleRanking {
    std::string_view id;    ///< id for anchors in the page: "worst"
    std::string_view title; ///< heading: "Worst samples"
    /// The column by which the samples are ranked.
    const Column* column = nullptr;
    std::vector<std::uint32_t> rows; ///< in ranking order: the most extreme sample first
};

/// The worst, the most memorised and the most typical samples of a model, at most `count` of each. Each ranking uses
/// the most suitable column that the model has. Ties are ordered by the catalogue's tie-breaking column
/// (Column::thenBy), then by row. Samples without a value are left out.
std::vector<SampleRanking> sampleRankings(const ModelAudit& model, std::size_t count);

} // namespace assay::report
