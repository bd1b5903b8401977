#include "engine/audit/findings/findings.h"
#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/compare.h"
#include "engine/audit/result/model_runs.h"
#include "engine/base/find_by.h"
#include "engine/base/number_text.h"
#include "engine/external/external_scores.h"
#include "engine/io/files/refusal.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/pages/sections.h"
#include "engine/report/parts/charts.h"
#include "engine/report/parts/html_writer.h"
#include "engine/report/parts/report_facts.h"
#include "engine/subsets/curves/bad_fraction.h"
#include "engine/subsets/curves/requested_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::report {
namespace {

/// Text with the intervals of the findings that decide the verdict, and the headline scores.
std::string uncertaintyOf(const ModelAudit& model) {
    std::string text;
    for (const Finding& finding : model.findings)
        if (const std::string interval = findingIntervalText(finding); finding.marksModel && !interval.empty())
            text += (text.empty() ? "" : "; ") + std::string(finding.kind->title) + ": " + findingValueText(finding) +
                    " (" + interval + ")";
    return text.empty() ? std::string() : text + ".";
}

} // namespace

void writeVerdicts(HtmlWriter& html, const AuditResult& audit) {
    const HtmlElement section(html, "section", {{"aria-labelledby", "verdicts"}});
    html.leaf("h2", "What is wrong with each model?", {{"id", "verdicts"}});
    html.open("ol", {{"class", "verdicts"}});
    for (const Audited& audited : auditedSets(audit)) {
        if (audited.number == 0)
            continue;
        const ModelAudit& model = *audited.model;
        const HtmlElement item(html, "li", {{"class", isMarked(model) ? "marked" : "unmarked"}});
        html.open("p");
        html.text(std::to_string(audited.number) + " ");
        html.open("strong");
        html.leaf("a", model.name, {{"href", "#model-" + std::to_string(audited.number)}});
        html.close();
        if (isMarked(model))
            html.leaf("span", " (!) serious fault", {{"class", "mark-text"}});
        html.close();
        html.leaf("p", model.summary, {{"class", "sentence"}});
        if (const std::string text = uncertaintyOf(model); !text.empty())
            html.leaf("p", text);
        html.leaf("p", headlineSentence(model), {{"class", "muted"}});
    }
    html.close();
    html.leaf("p",
              "Fidelity is clipped density and coverage is clipped coverage: a set of which half is good has 50 %. "
              "Ranges are 95 % intervals. Of the samples called bad, at most " +
                  percentText(audit.falseDiscoveryRate) + " should be good ones.",
              {{"class", "muted"}});
}

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

namespace {

constexpr std::array<std::string_view, 4> kFollowed{"clipped_density", "clipped_coverage", "authenticity", "pce"};

void runTable(HtmlWriter& html, const AuditResult& audit, const ModelRun& run) {
    std::vector<TableColumn> columns{{run.parameter.empty() ? "Model" : run.parameter}};
    for (const std::string_view metric : kFollowed)
        columns.push_back({titleWithUnit(*findMetric(metric)), kRight});
    std::vector<std::vector<TableCell>> rows;
    for (const RunPoint& point : run.points) {
        const ModelAudit& model = *audit.models[point.model];
        rows.push_back(
            {run.parameter.empty() || point.text.empty() ? TableCell{model.name} : TableCell{point.text, model.name}});
        for (const std::string_view metric : kFollowed)
            rows.back().push_back({scoreText(model, *findMetric(metric)), intervalText(model, *findMetric(metric))});
    }
    writeTable(html,
               "Run " + run.prefix + "\xE2\x80\xA6" + run.suffix + ": scores with 95 % intervals, by " +
                   (run.hasWords            ? "stage"
                    : run.parameter.empty() ? "the number in the name"
                                            : run.parameter),
               columns, rows);
}

} // namespace

void writeRuns(HtmlWriter& html, const AuditResult& audit) {
    const std::vector<ModelRun> runs = modelRuns(audit);
    if (runs.empty())
        return;
    html.leaf("h3",
              runs.size() == 1 ? "Do the models of the run get better?" : "Do the models of the runs get better?");
    for (const ModelRun& run : runs)
        runTable(html, audit, run);
}

namespace {

/// Rows of a table: those that follow the figure most closely.
constexpr std::size_t kMaxAgreements = 12;

TableCell cellOf(const Correlation& correlation) {
    if (!correlation.interval)
        return {fmt::format("{:.2f}", correlation.value)};
    return {fmt::format("{:.2f}", correlation.value),
            fmt::format("{:.2f} to {:.2f}", correlation.interval->low, correlation.interval->high)};
}

} // namespace

void writeExternal(HtmlWriter& html, const AuditResult& audit, const ExternalScores& scores) {
    html.leaf("h2", "Which metrics agree with external scores?", {{"id", "external"}});
    html.leaf("p", "From " + scores.source + " (SHA-256 " + scores.sha256 + ").", {{"class", "muted"}});
    const std::vector<Agreement> all = agreements(audit, scores);
    for (std::size_t column = 0; column < scores.columns.size(); ++column) {
        html.leaf("h3", scores.columns[column]);
        html.leaf("p", agreementSentence(all, scores, column));
        std::vector<const Agreement*> here;
        for (const Agreement& agreement : all)
            if (agreement.column == column)
                here.push_back(&agreement);
        if (here.empty())
            continue;
        std::ranges::stable_sort(here, std::ranges::greater(),
                                 [](const Agreement* one) { return std::abs(one->spearman.value); });
        here.resize(std::min(here.size(), kMaxAgreements));
        std::vector<std::vector<TableCell>> rows;
        rows.reserve(here.size());
        for (const Agreement* one : here)
            rows.push_back({{subjectOf(*one, scores)},
                            cellOf(one->spearman),
                            cellOf(one->pearson),
                            cellOf(one->kendall),
                            {std::to_string(one->models.size())}});
        writeTable(html, "Correlation with " + scores.columns[column] + ", the strongest first, with 95 % intervals",
                   {{"Score"}, {"Spearman", kRight}, {"Pearson", kRight}, {"Kendall", kRight}, {"Models", kRight}},
                   rows);
    }
}

} // namespace assay::report
