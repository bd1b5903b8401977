#include "engine/audit/findings/findings.h"
#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/by_class.h"
#include "engine/base/number_text.h"
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

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace assay::report {
namespace {

using PageJson = nlohmann::json;

constexpr std::size_t kPageClassColumns = 4;

/// null for a value that JSON cannot hold.
PageJson numberOrNull(double value) {
    return std::isfinite(value) ? PageJson(value) : PageJson(nullptr);
}

PageJson findingJson(const Finding& finding, const PageRows& rows, const PageRows& real) {
    PageJson json{{"id", finding.kind->id},
                  {"title", finding.kind->title},
                  {"sentence", finding.sentence},
                  {"advice", finding.advice},
                  {"marks", finding.marksModel},
                  {"value", findingValueText(finding)},
                  {"interval", findingIntervalText(finding)},
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

PageJson metricsJson(const ModelAudit& model) {
    PageJson all = PageJson::array();
    for (const Metric& metric : metricCatalog())
        if (isShownToPeople(metric) && model.hasMetric(metric.id)) {
            const char* const about = metric.needs == needs::kMembership ? "private"
                                      : metric.needs == needs::kUtility || metric.needs == needs::kNumberUtility
                                          ? "useful"
                                          : "";
            all.push_back({{"id", metric.id},
                           {"title", titleWithUnit(metric)},
                           {"value", numberOrNull(model.metric(metric.id))},
                           {"text", scoreText(model, metric)},
                           {"interval", intervalText(model, metric)},
                           {"better", directionText(metric.better)},
                           {"definition", metric.definition},
                           {"about", about}});
        }
    return all;
}

PageJson headlineJson(const ModelAudit& model, std::string_view id) {
    if (!model.hasMetric(id))
        return nullptr;
    const double value = model.metric(id);
    const MetricInterval* interval = model.interval(id);
    return {numberOrNull(value), numberOrNull(interval != nullptr ? interval->low : value),
            numberOrNull(interval != nullptr ? interval->high : value)};
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
                      {"better", row.better == Direction::Higher  ? 1
                                 : row.better == Direction::Lower ? -1
                                                                  : 0},
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
        PageJson row{{"name", one.label}, {"real", nullptr}, {"synthetic", nullptr}, {"means", PageJson::array()}};
        if (one.real)
            row["real"] = *one.real;
        if (one.synthetic)
            row["synthetic"] = *one.synthetic;
        for (const std::size_t column : columns)
            row["means"].push_back(scoreText(one.means[column], model.findColumn(found->columns[column])->unit));
        json["rows"].push_back(row);
    }
    return json;
}

PageJson holesJson(const AuditResult& audit, std::size_t model, const PageRows& real, const JobContext& job) {
    const CoverageHoles found = coverageHoles(audit, model, job);
    PageJson json{{"missed", found.missed}, {"apart", found.apart.size()}, {"holes", PageJson::array()}};
    for (const CoverageHole& hole : found.holes) {
        json["holes"].push_back({{"rows", hole.rows.size()},
                                 {"positions", real.positionsOf(hole.rows)},
                                 {"examples", real.positionsOf(hole.examples)},
                                 {"classes", hole.classes}});
    }
    return json;
}

/// Which samples the page holds, and whether that is all.
std::pair<std::string, bool> heldText(std::span<const PageRows> rows) {
    std::size_t total = 0;
    std::size_t held = 0;
    std::size_t drawn = 0;
    for (const PageRows& of : rows) {
        total += of.position.size();
        held += of.rows.size();
        drawn += of.random;
    }
    if (held == total)
        return {fmt::format("This page holds all {} samples.", countText(total)), true};
    const std::size_t others = total - held + drawn;
    return {fmt::format("This page holds {} of {} samples: {} examples and flagged ones, and {} of the {} others ({}), "
                        "drawn at random with seed {}. Figures are of all samples.",
                        countText(held), countText(total), countText(held - drawn), countText(drawn), countText(others),
                        percentText(static_cast<double>(drawn) / static_cast<double>(others)), PageRows::kSeed),
            false};
}

} // namespace

std::string pageSummary(const AuditResult& audit, std::span<const PageRows> rows, const JobContext& job) {
    const std::string sets = countText(audit.real->set->rows()) + " real samples of " +
                             counted(audit.real->set->dim(), "dimension", "dimensions") +
                             "; k = " + std::to_string(audit.k);
    const auto [holds, isComplete] = heldText(rows);
    PageJson json{{"title", reportTitle(audit)},
                  {"sets", sets},
                  {"holds", holds},
                  {"complete", isComplete},
                  {"version", std::string(kVersion)},
                  {"start", audit.models.empty() ? 0 : gravestModel(audit)},
                  {"models", PageJson::array()},
                  {"words", PageJson::object()}};
    for (const GlossaryEntry& word : glossaryWords())
        json["words"][std::string(word.title)] = word.meaning;
    for (std::size_t m = 0; m < audit.models.size(); ++m) {
        const ModelAudit& model = *audit.models[m];
        PageJson one{{"name", model.name},
                     {"summary", model.summary},
                     {"headline", headlineSentence(model)},
                     {"marked", isMarked(model)},
                     {"samples", model.set->rows()},
                     {"fidelity", headlineJson(model, "clipped_density")},
                     {"coverage", headlineJson(model, "clipped_coverage")},
                     {"metrics", metricsJson(model)},
                     {"columns", columnsJson(audit, model)},
                     {"classes", classesJson(audit, model)},
                     {"holes", holesJson(audit, m, rows[0], job)},
                     {"useful", PageJson::parse(usefulAsJson(audit, model))["useful"]},
                     {"findings", PageJson::array()}};
        for (const Finding& finding : model.findings)
            one["findings"].push_back(
                findingJson(finding, finding.side == Side::Real ? rows[0] : rows[m + 1], rows[0]));
        json["models"].push_back(std::move(one));
    }
    return json.dump(-1, ' ', false, PageJson::error_handler_t::replace);
}

} // namespace assay::report
