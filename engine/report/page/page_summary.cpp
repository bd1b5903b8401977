#include "engine/audit/findings/findings.h"
#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/by_class.h"
#include "engine/base/number_text.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/glossary/glossary.h"
#include "engine/report/page/page_data.h"
#include "engine/report/pages/report.h"
#include "engine/report/parts/html_writer.h"
#include "engine/report/parts/report_facts.h"
#include "engine/report/space/space_points.h"
#include "engine/subsets/holes/coverage_holes.h"
#include "engine/subsets/rules/filter.h"
#include "engine/version.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace assay::report {
namespace {

using PageJson = nlohmann::json;

constexpr std::size_t kBars = 40;
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
PageJson columnsJson(const ModelAudit& model) {
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
                      {"words", PageJson::array()}};
        for (const std::string_view word : row.words)
            json["words"].push_back(word);
        constexpr double kTail = 0.005;
        const auto range = innerRange(
            kTail, [](double value) { return value; }, column.values.get());
        if (!range)
            continue;
        const double low = row.words.empty() ? range->low : -0.5;
        const double high = row.words.empty() ? range->high : static_cast<double>(row.words.size()) - 0.5;
        const std::size_t bars = row.words.empty() ? kBars : row.words.size();
        const double width = high > low ? high - low : 1.0;
        std::vector<std::size_t> counts(bars, 0);
        for (const double value : column.values)
            if (std::isfinite(value)) { // as the page's script does it, of the same single precision
                const double at = (static_cast<float>(value) - low) / width * static_cast<double>(bars);
                ++counts[static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(bars - 1)))];
            }
        json["low"] = low;
        json["high"] = low + width;
        json["counts"] = counts;
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
        PageJson row{
            {"name", plainText(one.label)}, {"real", nullptr}, {"synthetic", nullptr}, {"means", PageJson::array()}};
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
        PageJson classes = PageJson::array();
        for (const auto& [name, count] : hole.classes)
            if (classes.size() < 3)
                classes.push_back({plainText(name), count});
        json["holes"].push_back({{"rows", hole.rows.size()},
                                 {"positions", real.positionsOf(hole.rows)},
                                 {"examples", real.positionsOf(hole.examples)},
                                 {"classes", classes}});
    }
    return json;
}

PageJson utilityJson(const UtilityReport& utility) {
    PageJson json{{"whyNot", utility.whyNot}, {"rows", PageJson::array()}, {"confusion", PageJson::array()}};
    for (const ClassUtility& one : utility.byClass)
        json["rows"].push_back({plainText(utility.classes[one.label]), one.tested, one.training,
                                scoreText(one.accuracy, Unit::Share), scoreText(one.realAccuracy, Unit::Share)});
    std::vector<Confusion> wrong;
    std::ranges::copy_if(utility.confusion, std::back_inserter(wrong),
                         [](const Confusion& cell) { return cell.actual != cell.predicted; });
    std::ranges::stable_sort(wrong, std::ranges::greater(), &Confusion::count);
    wrong.resize(std::min<std::size_t>(wrong.size(), 5));
    for (const Confusion& cell : wrong)
        json["confusion"].push_back(
            {plainText(utility.classes[cell.actual]), plainText(utility.classes[cell.predicted]), cell.count});
    return json;
}

} // namespace

std::string pageSummary(const AuditResult& audit, std::span<const PageRows> rows, const JobContext& job) {
    std::size_t held = 0;
    std::size_t total = audit.real->set->rows();
    for (const PageRows& of : rows)
        held += of.rows.size();
    for (const auto& model : audit.models)
        total += model->set->rows();
    const std::string sets = countText(audit.real->set->rows()) + " real samples of " +
                             counted(audit.real->set->dim(), "dimension", "dimensions") +
                             "; k = " + std::to_string(audit.k);
    const std::string holds =
        held == total ? "This page holds all " + countText(total) + " samples."
                      : "This page holds " + countText(held) + " of " + countText(total) +
                            " samples: examples and flagged ones first, then random ones. Figures are of all samples.";
    PageJson json{{"title", plainText(reportTitle(audit))},
                  {"sets", sets},
                  {"holds", holds},
                  {"complete", held == total},
                  {"version", std::string(kVersion)},
                  {"start", audit.models.empty() ? 0 : gravestModel(audit)},
                  {"models", PageJson::array()},
                  {"words", PageJson::object()}};
    for (const GlossaryEntry& word : glossaryWords())
        json["words"][std::string(word.title)] = word.meaning;
    for (std::size_t m = 0; m < audit.models.size(); ++m) {
        const ModelAudit& model = *audit.models[m];
        PageJson one{{"name", plainText(model.name)},
                     {"summary", model.summary},
                     {"headline", headlineSentence(model)},
                     {"marked", isMarked(model)},
                     {"samples", model.set->rows()},
                     {"fidelity", headlineJson(model, "clipped_density")},
                     {"coverage", headlineJson(model, "clipped_coverage")},
                     {"metrics", metricsJson(model)},
                     {"columns", columnsJson(model)},
                     {"classes", classesJson(audit, model)},
                     {"holes", holesJson(audit, m, rows[0], job)},
                     {"utility", utilityJson(model.utility)},
                     {"findings", PageJson::array()}};
        for (const Finding& finding : model.findings)
            one["findings"].push_back(
                findingJson(finding, finding.side == Side::Real ? rows[0] : rows[m + 1], rows[0]));
        json["models"].push_back(std::move(one));
    }
    return json.dump(-1, ' ', false, PageJson::error_handler_t::replace);
}

} // namespace assay::report
