#include "engine/audit/result/audit_result.h"
#include "engine/external/agreement.h"
#include "engine/report/pages/sections.h"
#include "engine/report/parts/html_table.h"
#include "engine/report/parts/html_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace assay::report {
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
