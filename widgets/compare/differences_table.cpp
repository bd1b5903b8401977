#include "widgets/compare/differences_table.h"

#include "engine/audit/result/audit_result.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/glossary/glossary.h"
#include "widgets/common/number_format.h"
#include "widgets/compare/distribution_pair.h"
#include "widgets/text/score_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {
namespace {

constexpr int kNameLetters = 14; // of a model, as a heading

/// Translation context of this file's texts.
struct DifferencesTable {
    Q_DECLARE_TR_FUNCTIONS(assay::DifferencesTable)
};

/// A model's scores, under its name.
TableColumn scoresOf(const ModelAudit& model, std::function<TableCell(int)> cell) {
    const QString name = QString::fromStdString(model.name);
    return {.title = name,
            .hint = name.left(200),
            .cell = std::move(cell),
            .names = {name},
            .least = 9,
            .most = kNameLetters};
}

} // namespace

std::vector<MetricDifference> shownDifferences(const ModelContrast& contrast) {
    std::vector<MetricDifference> shown;
    std::ranges::copy_if(contrast.differences, std::back_inserter(shown), [](const MetricDifference& of) {
        if (of.difference == 0.0 && of.low == 0.0 && of.high == 0.0)
            return false; // a score of the real set
        return !std::isnan(of.difference) && !std::isnan(of.low) && !std::isnan(of.high) &&
               findMetric(of.id) != nullptr && isShownToPeople(*findMetric(of.id));
    });
    std::stable_partition(shown.begin(), shown.end(), [](const MetricDifference& of) { return of.excludesZero(); });
    return shown;
}

TableContent differencesTable(const std::shared_ptr<const ModelContrast>& contrast) {
    if (!contrast)
        return {};
    std::vector<MetricDifference> rows = shownDifferences(*contrast);
    TableContent content{.rows = static_cast<int>(rows.size())};
    const auto of = cellsOf(std::move(rows));
    const auto valueOf = [&](const std::shared_ptr<const ModelAudit>& model) {
        return of([model](const MetricDifference& one) {
            const double value = model->metric(one.id);
            return cellOf(formatValue(value, findMetric(one.id)->unit), value);
        });
    };
    content.columns = {
        {.title = DifferencesTable::tr("Score"),
         .cell = of([](const MetricDifference& one) { return textCell(catalogText(findMetric(one.id)->title)); }),
         .side = Qt::AlignLeft},
        scoresOf(*contrast->first, valueOf(contrast->first)),
        scoresOf(*contrast->second, valueOf(contrast->second)),
        {.title = DifferencesTable::tr("Difference [95 %]"),
         .cell = of([](const MetricDifference& one) { return cellOf(differenceText(one), one.difference); })},
        {.hint = DifferencesTable::tr("95 % interval of the difference; the line is at 0"),
         .cell = of([](const MetricDifference& one) {
             const std::size_t larger = one.difference >= 0.0 ? 0 : 1;
             return TableCell{.sort = one.difference,
                              .description = differenceText(one),
                              .graphic = CellInterval{one.low, one.difference, one.high},
                              .ink = [larger](const QPalette& palette) { return comparedColor(larger, palette); }};
         })},
        {.title = DifferencesTable::tr("First model is"),
         .cell = of([contrast](const MetricDifference& one) {
             const QString verdict = verdictText(one, findMetric(one.id)->better, contrast->first->metric(one.id),
                                                 contrast->second->metric(one.id));
             return textCell(verdict.isEmpty() ? DifferencesTable::tr("not told apart") : verdict);
         }),
         .side = Qt::AlignLeft,
         .takesRoom = true}};
    content.hint = of([contrast](const MetricDifference& one) {
        return differenceToolTip(*contrast->first, *contrast->second, *findMetric(one.id), &one);
    });
    return content;
}

} // namespace assay
