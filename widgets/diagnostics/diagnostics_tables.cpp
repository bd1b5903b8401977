#include "widgets/diagnostics/diagnostics_tables.h"

#include "engine/data/embedding_set.h"
#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/text/names.h"
#include "widgets/text/score_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace assay {
namespace {

constexpr int kFirstLetters = 14; // of the first column of a table that is shown whole

/// Translation context of this file's texts.
struct DiagnosticsTablesWords {
    Q_DECLARE_TR_FUNCTIONS(assay::DiagnosticsTables)
};

TableCell shareCell(double share, Side side, const QString& hint) {
    return {.text = formatPercent(share), .sort = share, .hint = hint, .graphic = CellShare{share, side}};
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

/// "6\u2013100", "more than 10,000".
QString rangeText(std::size_t range) {
    const std::uint64_t from = BallOccupancy::kFrom[range];
    if (range + 1 == BallOccupancy::kFrom.size())
        return DiagnosticsTablesWords::tr("more than %1").arg(formatCount(from - 1));
    const std::uint64_t to = BallOccupancy::kFrom[range + 1] - 1;
    return from == to ? formatCount(from)
                      : DiagnosticsTablesWords::tr("%1\u2013%2").arg(formatCount(from), formatCount(to));
}

/// The columns of a table that is shown whole: the last ones leave a narrow table first.
std::vector<TableColumn> wholeColumns(std::vector<TableColumn> columns) {
    columns.front().side = Qt::AlignLeft;
    columns.front().least = kFirstLetters;
    columns.front().takesRoom = true;
    for (std::size_t at = 1; at < columns.size(); ++at)
        columns[at].leavesAt = static_cast<int>(columns.size() - at);
    return columns;
}

TableCell stepCell(const DensityStep& step) {
    const Metric& metric = *findMetric(step.metric);
    return textCell(
        catalogText(metric.title),
        metricToolTip(metric) +
            DiagnosticsTablesWords::tr("<p>This step: %1.</p>").arg(catalogText(step.change).toHtmlEscaped()));
}

TableCell valueCell(const ModelAudit& model, const DensityStep& step) {
    const Metric& metric = *findMetric(step.metric);
    const QString value = formatValue(step.value, metric.unit);
    const QString full = model.hasMetric(metric.id) ? fullScoreText(model, metric) : value;
    return cellOf(value, step.value, QStringLiteral("%1<hr>%2").arg(full, metricToolTip(metric)));
}

TableCell overOccurringCell(const DensityStep& step) {
    const Metric* over = overOccurringOf(step);
    return shareCell(step.overOccurring, Side::Synthetic,
                     over ? metricToolTip(*over)
                          : DiagnosticsTablesWords::tr("None can weigh more: each sample's count is capped at k."));
}

/// "\u00d7 12"; the same order as that of the radii, and always a number.
TableCell ratioCell(const FullBall& ball) {
    const bool isKnown = std::isfinite(ball.radiusToMedian);
    return cellOf(isKnown ? DiagnosticsTablesWords::tr("\u00d7 %1").arg(formatNumber(ball.radiusToMedian))
                          : QStringLiteral("-"),
                  ball.radius);
}

QString ballHint(const FullBall& ball, std::size_t samples) {
    QString words = DiagnosticsTablesWords::tr("Its ball (radius %1) holds %2 of the %3 synthetic samples; with the "
                                               "radius clipped to the median, %4.")
                        .arg(formatNumber(ball.radius), formatCount(ball.count), formatCount(samples),
                             formatCount(ball.clippedCount));
    if (std::isfinite(ball.radiusToMedian))
        words +=
            QLatin1Char(' ') +
            DiagnosticsTablesWords::tr("The radius is %1 times the median.").arg(formatNumber(ball.radiusToMedian));
    return QStringLiteral("<p>%1</p>").arg(words);
}

} // namespace

TableContent densitySteps(const ViewState& state) {
    const std::shared_ptr<const ModelAudit> model = state.audit->models[state.model];
    const std::vector<DensityStep>& steps = model->diagnostics.densitySteps;
    TableContent content{.rows = static_cast<int>(steps.size()), .isSortable = false};
    const auto of = cellsOf(steps);
    content.columns = wholeColumns({
        {.title = DiagnosticsTablesWords::tr("Step"),
         .hint = DiagnosticsTablesWords::tr("Each step is density with one more correction, down to clipped density."),
         .cell = of(stepCell)},
        {.title = DiagnosticsTablesWords::tr("Value"),
         .hint = DiagnosticsTablesWords::tr("The metric's value after this step"),
         .cell = of([model](const DensityStep& step) { return valueCell(*model, step); })},
        {.title = DiagnosticsTablesWords::tr("Over-occurring"),
         .hint = DiagnosticsTablesWords::tr("Share of synthetic samples that weigh more than k real balls in the "
                                            "step's value"),
         .cell = of(overOccurringCell)},
        {.title = DiagnosticsTablesWords::tr("Largest"),
         .hint = DiagnosticsTablesWords::tr("The most that one synthetic sample adds to the mean, in units of k real "
                                            "balls"),
         .cell = of([k = state.audit->k](const DensityStep& step) {
             return cellOf(formatNumber(step.largestContribution), step.largestContribution, largestToolTip(step, k));
         })},
    });
    content.below =
        of([](const DensityStep& step) { return RowLine{.text = catalogText(step.change), .ink = colors::mutedText}; });
    return content;
}

TableContent ballOccupancy(const ViewState& state) {
    const QString asTheyAre = DiagnosticsTablesWords::tr("Number of real balls that hold this many synthetic samples. "
                                                         "A ball reaches to its sample's k-th nearest real neighbour.");
    const QString clipped = DiagnosticsTablesWords::tr(
        "Number of real balls that hold this many synthetic samples when no radius may exceed the median.");
    const QString share = DiagnosticsTablesWords::tr("<p>As a share of all real balls.</p>");
    const BallOccupancy& occupancy = state.current().diagnostics.occupancy;
    const auto all = std::accumulate(occupancy.balls.begin(), occupancy.balls.end(), std::size_t{0});
    const auto hintOf = [=](int row, std::size_t balls, const QString& meaning) {
        return DiagnosticsTablesWords::tr("%1 of %2 real balls hold %3 synthetic samples.<p>%4</p>")
            .arg(formatCount(balls), formatCount(all), rangeText(static_cast<std::size_t>(row)), meaning);
    };
    const auto counts = [=](const auto& balls, const QString& meaning) {
        return [=](int row) {
            const std::size_t count = balls[static_cast<std::size_t>(row)];
            return cellOf(formatCount(count), {}, hintOf(row, count, meaning));
        };
    };
    const auto shares = [=](const auto& balls, const QString& meaning) {
        return [=](int row) {
            const std::size_t count = balls[static_cast<std::size_t>(row)];
            const double part = all > 0 ? static_cast<double>(count) / static_cast<double>(all) : 0.0;
            return shareCell(part, Side::Real, hintOf(row, count, meaning));
        };
    };
    TableContent content{.rows = static_cast<int>(BallOccupancy::kFrom.size()), .isSortable = false};
    content.columns = wholeColumns({
        {.title = DiagnosticsTablesWords::tr("Samples in a ball"),
         .hint = DiagnosticsTablesWords::tr("How many synthetic samples a real ball holds"),
         .cell =
             [](int row) {
                 return textCell(rangeText(static_cast<std::size_t>(row)),
                                 DiagnosticsTablesWords::tr("This many synthetic samples in one ball"));
             }},
        {.title = DiagnosticsTablesWords::tr("Balls"), .hint = asTheyAre, .cell = counts(occupancy.balls, asTheyAre)},
        {.title = DiagnosticsTablesWords::tr("Share"),
         .hint = asTheyAre + share,
         .cell = shares(occupancy.balls, asTheyAre)},
        {.title = DiagnosticsTablesWords::tr("Clipped"),
         .hint = clipped,
         .cell = counts(occupancy.clippedBalls, clipped)},
        {.title = DiagnosticsTablesWords::tr("Share"),
         .hint = clipped + share,
         .cell = shares(occupancy.clippedBalls, clipped)},
    });
    return content;
}

TableContent fullBalls(const ViewState& state) {
    if (!state.hasModel())
        return {};
    const auto set = state.audit->real->set;
    std::vector<FullBall> balls;
    std::ranges::copy_if(state.current().diagnostics.fullestBalls, std::back_inserter(balls),
                         [&](const FullBall& ball) {
                             return state.isShown({SetId::Real, ball.row});
                         });
    TableContent content{.rows = static_cast<int>(balls.size()),
                         .sortedBy = BallCount,
                         .sortedOrder = Qt::DescendingOrder,
                         .hasPictures = true};
    const auto of = cellsOf(std::move(balls));
    content.sample = of([](const FullBall& ball) { return SampleId{SetId::Real, ball.row}; });
    content.columns = {
        {.title = DiagnosticsTablesWords::tr("Real sample"),
         .hint =
             DiagnosticsTablesWords::tr("The real sample at the centre of the ball. A click selects it everywhere."),
         .cell = of([set](const FullBall& ball) {
             const QString name = set->hasLabel(ball.row) ? classText(set->labelText(ball.row)) : QString();
             return TableCell{.text = QString::fromStdString(set->idText(ball.row)),
                              .sort = ball.row,
                              .graphic = CellPicture{{SetId::Real, ball.row}, name}};
         }),
         .side = Qt::AlignLeft,
         .least = 14,
         .takesRoom = true,
         .areUnique = true},
        {.title = DiagnosticsTablesWords::tr("Holds"),
         .hint = metricToolTip(*findColumn("ball_synthetic_count")),
         .cell = of([](const FullBall& ball) { return cellOf(formatCount(ball.count), ball.count); })},
        {.title = DiagnosticsTablesWords::tr("Clipped"),
         .hint = DiagnosticsTablesWords::tr("Number of synthetic samples in the ball with its radius clipped to the "
                                            "median of all radii, as in clipped density."),
         .cell = of([](const FullBall& ball) { return cellOf(formatCount(ball.clippedCount), ball.clippedCount); }),
         .leavesAt = 2},
        {.title = DiagnosticsTablesWords::tr("Radius"),
         .hint = DiagnosticsTablesWords::tr("Distance from the real sample to its %1 nearest real neighbour, in the "
                                            "embedding's unit.")
                     .arg(formatOrdinal(state.audit->k)),
         .cell = of([](const FullBall& ball) { return cellOf(formatNumber(ball.radius), ball.radius); }),
         .leavesAt = 1},
        {.title = DiagnosticsTablesWords::tr("\u00d7 median"),
         .hint = DiagnosticsTablesWords::tr("The radius divided by the median radius. Far above 1, with few samples "
                                            "left after clipping: an outlier. Near 1: a crowded spot."),
         .cell = of(ratioCell)}};
    content.hint =
        of([samples = state.current().set->rows()](const FullBall& ball) { return ballHint(ball, samples); });
    return content;
}

} // namespace assay
