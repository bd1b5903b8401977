#include "engine/audit/findings/findings.h"
#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/by_class.h"
#include "engine/math/statistics/histogram.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/glossary/glossary.h"
#include "engine/report/page/page_data.h"
#include "engine/report/pages/report.h"
#include "engine/report/parts/report_facts.h"
#include "engine/report/scores/json_parts.h"
#include "engine/report/space/space_points.h"
#include "engine/subsets/holes/coverage_holes.h"
#include "engine/subsets/rules/filter.h"
#include "engine/version.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <vector>

namespace assay::report {
namespace {

using PageJson = nlohmann::json;

constexpr std::size_t kPageClassColumns = 4;

PageJson findingJson(const Finding& finding, const PageRows& rows, const PageRows& real) {
    PageJson json{{"title", finding.kind->title},
                  {"sentence", finding.sentence},
                  {"advice", finding.advice},
                  {"marks", finding.marksModel},
                  {"side", finding.side == Side::Real ? "real" : "synthetic"},
                  {"rows", finding.rows.size()},
                  {"positions", rows.positionsOf(finding.rows)},
                  {"examples", PageJson::array()}};
    if (!finding.rules.empty())
        json["rules"] = PageJson::parse(rulesToJson(finding.rules));
    for (const FindingExample& example : finding.examples) {
        PageJson one{{"position", rows.positionsOf({example.row})}, {"count", exampleCountText(example)}};
        if (example.original)
            one["original"] = real.positionsOf({*example.original});
        json["examples"].push_back(one);
    }
    return json;
}

/// Infinite values, which JSON does not have, are written as null.
PageJson metricsJson(const ModelAudit& model) {
    PageJson all = PageJson::array();
    for (const Metric& metric : metricCatalog())
        if (isShownToPeople(metric) && model.hasMetric(metric.id)) {
            const double value = model.metric(metric.id);
            const MetricInterval* interval = model.interval(metric.id);
            all.push_back({{"id", metric.id},
                           {"title", titleWithUnit(metric)},
                           {"value", value},
                           {"low", interval != nullptr ? interval->low : value},
                           {"high", interval != nullptr ? interval->high : value},
                           {"text", scoreText(model, metric)},
                           {"interval", intervalText(model, metric)},
                           {"better", directionText(metric.better)},
                           {"definition", metric.definition}});
        }
    return all;
}

/// How all samples of the model's columns are spread, the page's and the others. Outer bars hold what lies beyond.
PageJson columnsJson(const AuditResult& audit, const ModelAudit& model) {
    PageJson all = PageJson::array();
    for (const ColumnValues& column : model.columns) {
        const Column& row = columnOf(column);
        if (row.unit == Unit::Row)
            continue;
        PageJson json{{"id", row.id},
                      {"title", row.title},
                      {"unit", static_cast<int>(row.unit)},
                      {"side", row.side == Side::Real ? "real" : "synthetic"},
                      {"thenBy", row.thenBy},
                      {"better", static_cast<int>(row.better)},
                      {"definition", row.definition},
                      {"words", row.words}};
        constexpr double kTail = 0.005;
        const auto range = innerRange(kTail, std::identity(), column.values.get());
        if (!range)
            continue;
        std::vector<double> values = column.values.get();
        for (double& value : values) // of single precision, as the page's script has them
            value = std::clamp(static_cast<double>(static_cast<float>(value)), range->low, range->high);
        const HistogramBins bins = chooseBins(values, row.unit, audit.k);
        json["low"] = bins.edges.front();
        json["high"] = bins.edges.back();
        json["values"] = bins.values;
        json["counts"] = countPerBin(bins, values);
        all.push_back(json);
    }
    return all;
}

PageJson classesJson(const AuditResult& audit, const ModelAudit& model) {
    const std::optional<ByClass> found = scoresByClass(*audit.real->set, model);
    if (!found)
        return nullptr;
    std::vector<std::size_t> columns = scoresInReadingOrder(*found);
    columns.resize(std::min(columns.size(), kPageClassColumns));
    PageJson json{{"titles", PageJson::array()}, {"rows", PageJson::array()}};
    for (const std::size_t column : columns)
        json["titles"].push_back(model.findColumn(found->columns[column])->title);
    for (const ClassScores& one : found->classes) {
        PageJson row{{"name", one.label},
                     {"real", one.real ? PageJson(*one.real) : nullptr},
                     {"synthetic", one.synthetic ? PageJson(*one.synthetic) : nullptr},
                     {"means", PageJson::array()}};
        for (const std::size_t column : columns)
            row["means"].push_back(scoreText(one.means[column], model.findColumn(found->columns[column])->unit));
        json["rows"].push_back(row);
    }
    return json;
}

PageJson holesJson(const AuditResult& audit, std::size_t model, const PageRows& real, const JobContext& job) {
    const CoverageHoles found = coverageHoles(audit, model, job);
    PageJson json{{"missed", found.missed}, {"apart", found.apart.size()}, {"holes", PageJson::array()}};
    for (const CoverageHole& hole : found.holes)
        json["holes"].push_back({{"rows", hole.rows.size()},
                                 {"positions", real.positionsOf(hole.rows)},
                                 {"examples", real.positionsOf(hole.examples)},
                                 {"classes", hole.classes}});
    return json;
}

} // namespace

std::string pageSummary(const AuditResult& audit, std::span<const PageRows> rows, const JobContext& job) {
    std::size_t random = 0;
    for (const PageRows& of : rows)
        random += of.random;
    PageJson json{{"title", reportTitle(audit)},
                  {"dimensions", audit.real->set->dim()},
                  {"k", audit.k},
                  {"rows", PageJson::array()}, // by set
                  {"random", random},
                  {"seed", PageRows::kSeed},
                  {"version", std::string(kVersion)},
                  {"start", audit.models.empty() ? 0 : gravestModel(audit)},
                  {"models", PageJson::array()},
                  {"words", PageJson::object()}};
    for (const PageRows& of : rows)
        json["rows"].push_back(of.position.size());
    for (const GlossaryEntry& word : glossaryWords())
        json["words"][std::string(word.title)] = word.meaning;
    for (std::size_t m = 0; m < audit.models.size(); ++m) {
        const ModelAudit& model = *audit.models[m];
        PageJson one{{"name", model.name},
                     {"summary", model.summary},
                     {"headline", headlineSentence(model)},
                     {"marked", isMarked(model)},
                     {"metrics", metricsJson(model)},
                     {"columns", columnsJson(audit, model)},
                     {"classes", classesJson(audit, model)},
                     {"holes", holesJson(audit, m, rows[0], job)},
                     {"findings", PageJson::array()}};
        one.update(PageJson::parse(usefulAsJson(audit, model))); // `useful` and `private`
        for (const Finding& finding : model.findings)
            one["findings"].push_back(
                findingJson(finding, finding.side == Side::Real ? rows[0] : rows[m + 1], rows[0]));
        json["models"].push_back(std::move(one));
    }
    return json.dump(-1, ' ', false, PageJson::error_handler_t::replace);
}

} // namespace assay::report
