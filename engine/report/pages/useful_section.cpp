#include "engine/audit/findings/useful_sentences.h"
#include "engine/audit/result/audit_result.h"
#include "engine/base/number_text.h"
#include "engine/report/pages/sections.h"
#include "engine/report/parts/html_table.h"
#include "engine/report/parts/html_writer.h"
#include "engine/report/parts/report_facts.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace assay::report {
namespace {

/// Largest number of classes of which the confusion matrix is shown, and of classes in the table.
constexpr std::size_t kMaxInMatrix = 20;
constexpr std::size_t kMaxClasses = 40;

void writeByClass(HtmlWriter& html, const ModelAudit& model) {
    std::vector<ClassUtility> classes = model.utility.byClass;
    const bool all = classes.size() <= kMaxClasses;
    if (!all) {
        std::ranges::stable_sort(classes, std::ranges::greater(),
                                 [](const ClassUtility& of) { return of.realAccuracy - of.accuracy; });
        classes.resize(kMaxClasses);
    }
    std::vector<std::vector<TableCell>> rows;
    rows.reserve(classes.size());
    for (const ClassUtility& of : classes)
        rows.push_back({{model.utility.classes[of.label]},
                        {std::to_string(of.training)},
                        {std::to_string(of.tested)},
                        {percentText(of.accuracy)},
                        {percentText(of.realAccuracy)}});
    writeTable(html,
               "Accuracy by class of a classifier trained on " + model.name +
                   (all ? "" : "; the classes that lose most"),
               {{"Class"},
                {"Training samples", kRight},
                {"Test samples", kRight},
                {"Accuracy", kRight},
                {"Trained on real", kRight}},
               rows);
}

void writeConfusion(HtmlWriter& html, const ModelAudit& model) {
    const UtilityReport& report = model.utility;
    if (report.classes.size() > kMaxInMatrix)
        return;
    std::vector<TableColumn> columns{{"Real class"}};
    for (const std::string& name : report.classes)
        columns.push_back({name, kRight});
    std::vector<std::vector<TableCell>> rows;
    for (const ClassUtility& of : report.byClass) {
        std::vector<TableCell> row{{report.classes[of.label]}};
        std::vector<std::uint32_t> counts(report.classes.size(), 0);
        for (const Confusion& cell : report.confusion)
            if (cell.actual == of.label)
                counts[cell.predicted] = cell.count;
        for (const std::uint32_t count : counts)
            row.push_back({count == 0 ? "" : std::to_string(count)});
        rows.push_back(std::move(row));
    }
    writeTable(html, "What a classifier trained on " + model.name + " takes each class for", columns, rows);
}

void writeDistances(HtmlWriter& html, const ModelAudit& model) {
    constexpr std::array kRows{std::pair{"dcr_5", "Distance to the closest record, 5th percentile"},
                               std::pair{"dcr_median", "Distance to the closest record, median"},
                               std::pair{"nndr_5", "Nearest-neighbour distance ratio, 5th percentile"},
                               std::pair{"nndr_median", "Nearest-neighbour distance ratio, median"}};
    std::vector<std::vector<TableCell>> rows;
    for (const auto& [id, title] : kRows) {
        const std::string heldOut = std::string(id) + "_held_out";
        if (model.hasMetric(id))
            rows.push_back({{title}, {scoreText(model, *findMetric(id))}, {scoreText(model, *findMetric(heldOut))}});
    }
    if (rows.empty())
        return;
    writeTable(html, "Distances of the samples of " + model.name + " to real samples",
               {{"Distance"}, {"Synthetic", kRight}, {"Held-out", kRight}}, rows);
    html.leaf("p", "Copies lie closer to real samples than held-out samples do: both numbers are then smaller.",
              {{"class", "muted"}});
}

} // namespace

void writeUseful(HtmlWriter& html, const AuditResult& audit, std::size_t model) {
    const ModelAudit& audited = *audit.models[model];
    html.leaf("h3", "Useful and private");
    html.leaf("p", usefulSentence(audited));
    if (audited.utility.exists() && !audited.utility.classes.empty()) {
        writeByClass(html, audited);
        writeConfusion(html, audited);
    }
    html.leaf("p", privateSentence(audit, audited));
    writeDistances(html, audited);
}

} // namespace assay::report
