#include "widgets/diagnostics/diagnostics_tables.h"

#include "widgets/common/number_format.h"
#include "widgets/diagnostics/summary_table.h"
#include "widgets/text/score_text.h"

#include <QCoreApplication>
#include <QStandardItemModel>

#include <numeric>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct DiagnosticsTablesWords {
    Q_DECLARE_TR_FUNCTIONS(assay::DiagnosticsTables)
};

QString toolTipOf(const Metric& metric) {
    return metricToolTip(metric);
}

QStandardItem* cell(const QString& text, const QString& toolTip, Qt::Alignment side = Qt::AlignRight) {
    auto* item = new QStandardItem(text);
    item->setToolTip(toolTip);
    item->setEditable(false);
    item->setTextAlignment(side | Qt::AlignVCenter);
    return item;
}

QStandardItem* shareCell(double share, Side side, const QString& toolTip) {
    QStandardItem* item = cell(formatPercent(share), toolTip);
    item->setData(share, SummaryTable::ShareRole);
    item->setData(side == Side::Real, SummaryTable::RealSideRole);
    return item;
}

void setHeader(QStandardItemModel& table, const QList<QStandardItem*>& header) {
    for (int column = 0; column < header.size(); ++column)
        table.setHorizontalHeaderItem(column, header[column]);
}

/// The metric that counts samples with too much weight in a step; null if capped counts leave none.
const Metric* overOccurringOf(const DensityStep& step) {
    if (step.metric == "density")
        return findMetric("over_occurring_fraction");
    return step.metric == "density_clipped_radii" ? findMetric("over_occurring_fraction_clipped_radii") : nullptr;
}

QString largestToolTip(const DensityStep& step, std::size_t k) {
    if (step.metric == "clipped_density" || step.metric == "clipped_density_unclipped")
        return DiagnosticsTablesWords::tr(
                   "The most that one synthetic sample adds to the mean. Each count is capped at k = %1 and then "
                   "divided by what real samples reach, so a value above 1 is normal here.")
            .arg(formatCount(k));
    return DiagnosticsTablesWords::tr(
               "The most that one synthetic sample adds to the mean: it counts as %1 real balls, divided by k = %2.")
        .arg(formatNumber(step.largestContribution * static_cast<double>(k)), formatCount(k));
}

void appendStep(QStandardItemModel& table, const ModelAudit& model, const DensityStep& step, std::size_t k) {
    const Metric& metric = *findMetric(step.metric);
    const QString meaning = toolTipOf(metric);
    QStandardItem* title = cell(
        catalogText(metric.title),
        meaning + DiagnosticsTablesWords::tr("<p>This step: %1.</p>").arg(catalogText(step.change).toHtmlEscaped()),
        Qt::AlignLeft);
    title->setData(catalogText(step.change), SummaryTable::DetailRole);
    const QString value = formatValue(step.value, metric.unit);
    const Metric* over = overOccurringOf(step);
    table.appendRow(
        {title,
         cell(value, QStringLiteral("%1<hr>%2")
                         .arg(model.hasMetric(metric.id) ? fullScoreText(model, metric) : value, meaning)),
         shareCell(step.overOccurring, Side::Synthetic,
                   over ? toolTipOf(*over)
                        : DiagnosticsTablesWords::tr("None can weigh more: each sample's count is capped at k.")),
         cell(formatNumber(step.largestContribution), largestToolTip(step, k))});
}

/// "6\u2013100", "more than 10,000".
QString rangeText(std::size_t range) {
    const std::uint64_t from = BallOccupancy::kFrom[range];
    if (range + 1 == BallOccupancy::kFrom.size())
        return DiagnosticsTablesWords::tr("more than %1").arg(formatCount(from - 1));
    const std::uint64_t to = BallOccupancy::kFrom[range + 1] - 1;
    return from == to ? formatCount(from)
                      : DiagnosticsTablesWords::tr("%1\u2013%2").arg(formatCount(from), formatCount(to));
}

} // namespace

void showDensitySteps(QStandardItemModel& table, const ModelAudit& model, std::size_t k) {
    table.clear();
    setHeader(
        table,
        {cell(DiagnosticsTablesWords::tr("Step"),
              DiagnosticsTablesWords::tr("Each step is density with one more correction, down to clipped density."),
              Qt::AlignLeft),
         cell(DiagnosticsTablesWords::tr("Value"), DiagnosticsTablesWords::tr("The metric's value after this step")),
         cell(DiagnosticsTablesWords::tr("Over-occurring"),
              DiagnosticsTablesWords::tr("Share of synthetic samples that weigh more than k real balls in the "
                                         "step's value")),
         cell(DiagnosticsTablesWords::tr("Largest"),
              DiagnosticsTablesWords::tr("The most that one synthetic sample adds to the mean, in units of k real "
                                         "balls"))});
    for (const DensityStep& step : model.diagnostics.densitySteps)
        appendStep(table, model, step, k);
}

void showOccupancy(QStandardItemModel& table, const ModelAudit& model) {
    table.clear();
    const QString asTheyAre = DiagnosticsTablesWords::tr("Number of real balls that hold this many synthetic samples. "
                                                         "A ball reaches to its sample's k-th nearest real neighbour.");
    const QString clipped = DiagnosticsTablesWords::tr(
        "Number of real balls that hold this many synthetic samples when no radius may exceed the median.");
    const QString share = DiagnosticsTablesWords::tr("<p>As a share of all real balls.</p>");
    setHeader(table, {cell(DiagnosticsTablesWords::tr("Samples in a ball"),
                           DiagnosticsTablesWords::tr("How many synthetic samples a real ball holds"), Qt::AlignLeft),
                      cell(DiagnosticsTablesWords::tr("Balls"), asTheyAre),
                      cell(DiagnosticsTablesWords::tr("Share"), asTheyAre + share),
                      cell(DiagnosticsTablesWords::tr("Clipped"), clipped),
                      cell(DiagnosticsTablesWords::tr("Share"), clipped + share)});
    const BallOccupancy& occupancy = model.diagnostics.occupancy;
    const auto all = std::accumulate(occupancy.balls.begin(), occupancy.balls.end(), std::size_t{0});
    for (std::size_t range = 0; range < BallOccupancy::kFrom.size(); ++range) {
        const QString name = rangeText(range);
        const auto counted = [&](std::size_t balls, const QString& words) {
            const QString toolTip =
                DiagnosticsTablesWords::tr("%1 of %2 real balls hold %3 synthetic samples.<p>%4</p>")
                    .arg(formatCount(balls), formatCount(all), name, words);
            const double part = all > 0 ? static_cast<double>(balls) / static_cast<double>(all) : 0.0;
            return QList<QStandardItem*>{cell(formatCount(balls), toolTip), shareCell(part, Side::Real, toolTip)};
        };
        table.appendRow(
            QList<QStandardItem*>{
                cell(name, DiagnosticsTablesWords::tr("This many synthetic samples in one ball"), Qt::AlignLeft)} +
            counted(occupancy.balls[range], asTheyAre) + counted(occupancy.clippedBalls[range], clipped));
    }
}

} // namespace assay
