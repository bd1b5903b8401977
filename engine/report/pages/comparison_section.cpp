#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/compare.h"
#include "engine/base/find_by.h"
#include "engine/base/number_text.h"
#include "engine/io/files/joined.h"
#include "engine/report/pages/sections.h"
#include "engine/report/parts/charts.h"
#include "engine/report/parts/html_table.h"
#include "engine/report/parts/html_writer.h"
#include "engine/report/parts/report_facts.h"
#include "engine/subsets/curves/bad_fraction.h"
#include "engine/subsets/curves/requested_curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::report {
namespace {

constexpr std::array<std::string_view, 2> kCompared{"clipped_density", "clipped_coverage"};

/// Text such as "1 faithful, 2 copycat".
std::string numberedNames(const AuditResult& audit) {
    std::size_t number = 0;
    return joined(audit.models, ", ", [&](const auto& model) { return std::to_string(++number) + " " + model->name; });
}

std::string columnTitle(const Audited& audited) {
    return (audited.number > 0 ? std::to_string(audited.number) + " " : std::string()) + audited.name();
}

void scoreTable(HtmlWriter& html, const AuditResult& audit, std::span<const Audited> sets) {
    std::string caption = "Scores with 95 % intervals";
    if (sets.size() < auditedSets(audit).size())
        caption += sets.size() == 1 ? ": " + columnTitle(sets.front())
                                    : ": " + columnTitle(sets.front()) + " to " + columnTitle(sets.back());
    std::vector<TableColumn> columns{{"Score"}};
    for (const Audited& audited : sets)
        columns.push_back({columnTitle(audited), kRight});
    std::vector<std::vector<TableCell>> rows;
    for (const Metric* metric : shownMetrics(audit)) {
        rows.push_back({{titleWithUnit(*metric), std::string(directionText(metric->better))}});
        for (const Audited& audited : sets)
            rows.back().push_back({scoreText(*audited.model, *metric), intervalText(*audited.model, *metric)});
    }
    writeTable(html, caption, columns, rows);
}

std::string equivalentText(const ModelAudit& model, const CurveValues& raw, std::string_view metric) {
    if (!model.hasMetric(metric))
        return kNoValue;
    const double share = equivalentBadFraction(raw, metric, model.metric(metric));
    if (std::isnan(share))
        return kNoValue;
    if (isBeyondEnds(raw, metric, model.metric(metric)))
        return share < 0.5 ? "none" : "all";
    return percentText(share);
}

/// Table columns: one named `first`, then one per compared score.
std::vector<TableColumn> comparedColumns(const std::string& first) {
    std::vector<TableColumn> columns{{first}};
    for (const std::string_view metric : kCompared)
        columns.push_back({std::string(findMetric(metric)->title)});
    return columns;
}

void equivalentTable(HtmlWriter& html, const AuditResult& audit, const CurveValues& raw) {
    std::vector<std::vector<TableCell>> rows;
    for (std::size_t m = 0; m < audit.models.size(); ++m) {
        rows.push_back({{std::to_string(m + 1) + " " + audit.models[m]->name}});
        for (const std::string_view metric : kCompared)
            rows.back().push_back({equivalentText(*audit.models[m], raw, metric)});
    }
    writeTable(
        html,
        "Equivalent bad fraction: the share of bad samples at which a good set scores as low. None: it scores no lower "
        "than the good set",
        comparedColumns("Model"), rows);
}

TableCell differenceCell(const MetricDifference& difference) {
    return {roundedText(difference.difference) + (difference.excludesZero() ? "" : ", not significant"),
            roundedText(difference.low) + " to " + roundedText(difference.high)};
}

void differenceTable(HtmlWriter& html, const AuditResult& audit) {
    constexpr std::size_t kMaxPairs = 28; // all pairs of eight models
    const std::vector<ModelComparison> pairs = compareAll(audit);
    if (pairs.empty() || pairs.front().metrics.empty() || pairs.size() > kMaxPairs)
        return;
    html.leaf("h3", "Which differences are significant?");
    std::vector<std::vector<TableCell>> rows;
    for (const ModelComparison& pair : pairs) {
        rows.push_back({{audit.models[pair.first]->name + " \xE2\x88\x92 " + audit.models[pair.second]->name}});
        for (const std::string_view metric : kCompared) {
            const MetricDifference* found = findBy(pair.metrics, &MetricDifference::id, metric);
            rows.back().push_back(found == nullptr ? TableCell{kNoValue} : differenceCell(*found));
        }
    }
    writeTable(html, "Difference of the scores, with its 95 % interval", comparedColumns("Models"), rows);
}

} // namespace

void writeComparison(HtmlWriter& html, const AuditResult& audit) {
    const RequestedCurve* badFraction = findRequestedCurve(audit, "bad_fraction");
    const HtmlElement section(html, "section", {{"aria-labelledby", "comparison"}});
    html.leaf("h2", "How do the models compare?", {{"id", "comparison"}});
    html.open("div", {{"class", "figures"}});
    html.figure("Fidelity and coverage: good models are at the top right. Lines are 95 % intervals. " +
                    numberedNames(audit) + ".",
                [&] { drawFidelityAndCoverage(html, audit); });
    if (badFraction != nullptr)
        html.figure("Clipped density (solid) and clipped coverage (dashed) as good samples are replaced by bad ones; "
                    "dotted: ideal. Marks: where each model's score lies. " +
                        badFraction->note + ".",
                    [&] { drawBadFraction(html, audit, badFraction->values); });
    html.close();
    constexpr std::size_t kModelsPerTable = 6; // fits the width of a printed page
    const std::vector<Audited> sets = auditedSets(audit);
    for (std::size_t first = 0; first < sets.size(); first += kModelsPerTable)
        scoreTable(html, audit, std::span(sets).subspan(first, std::min(kModelsPerTable, sets.size() - first)));
    if (badFraction != nullptr)
        equivalentTable(html, audit, badFraction->values);
    differenceTable(html, audit);
    writeRuns(html, audit);
}

} // namespace assay::report
