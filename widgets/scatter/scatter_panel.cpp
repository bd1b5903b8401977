#include "widgets/scatter/scatter_panel.h"

#include "engine/metrics/catalog/catalog.h"
#include "widgets/charts/plot.h"
#include "widgets/common/colors.h"
#include "widgets/common/controls.h"
#include "widgets/common/number_format.h"
#include "widgets/link/figure_parameters.h"
#include "widgets/text/names.h"

#include <QToolButton>

#include <cmath>
#include <limits>

namespace assay {

ScatterPanel::ScatterPanel(PanelHost& host) : Panel(host), plot_(new Plot(this)) {
    setObjectName(QStringLiteral("fidelityCoverageChart"));
    setFocusProxy(plot_);
    plot_->setAccessibleName(title());
    setContent(plot_, tr("Every synthetic set is a point here: good ones at the top right."));
    pathButton_ = newButton<QToolButton>(
        "runPaths", tr("Paths"), tr("Show models of one run as a path, in the order of the number in their names"),
        plot_);
    pathButton_->setCheckable(true);
    pathButton_->setChecked(true);
    pathButton_->setAutoRaise(true);
    pathButton_->hide();
    connect(pathButton_, &QToolButton::toggled, this, &ScatterPanel::draw);
    connect(plot_, &Plot::themed, this, &ScatterPanel::draw);
    connect(plot_, &Plot::chosen, this, [this](const PlotChoice& choice) {
        if (const std::size_t model = plot_->idOf(choice.to); model != state().model)
            this->host().setModel(model);
    });
}

std::optional<Figure> ScatterPanel::figure() {
    if (count() == 0)
        return std::nullopt;
    Figure figure;
    figure.title = title();
    figure.chart = this;
    figure.caption = tr("Clipped density and clipped coverage (Salvy et al., ICLR 2026) of every model. %1")
                         .arg(figureParameters(state()));
    figure.data.push_back(
        {QStringLiteral("model"), QStringLiteral("clipped_density"), QStringLiteral("clipped_coverage")});
    for (const auto& model : state().audit->models)
        figure.data.push_back({QString::fromStdString(model->name), dataNumber(metricOr(*model, "clipped_density")),
                               dataNumber(metricOr(*model, "clipped_coverage"))});
    if (keptScores() != nullptr)
        figure.data.push_back({tr("%1, kept").arg(QString::fromStdString(state().current().name)),
                               dataNumber(keptScores()->metric("clipped_density")),
                               dataNumber(keptScores()->metric("clipped_coverage"))});
    return figure;
}

std::size_t ScatterPanel::count() const {
    return state().audit ? state().audit->models.size() : 0;
}

QPointF ScatterPanel::valueOf(std::size_t model) const {
    const ModelAudit& audit = *state().audit->models[model];
    const double x = metricOr(audit, "clipped_density");
    const double y = metricOr(audit, "clipped_coverage");
    return {std::isnan(x) ? 0.0 : x, std::isnan(y) ? 0.0 : y};
}

QString ScatterPanel::describe(PlotPoint point) const {
    if (plot_->idOf(point) == kKept)
        return keptToolTip();
    const std::vector<PlotPoint> stack = plot_->stackOf(point);
    if (stack.size() == 1)
        return modelToolTip(*state().audit->models[plot_->idOf(point)]);
    QStringList names;
    for (const PlotPoint other : stack)
        names << QString::fromStdString(state().audit->models[plot_->idOf(other)]->name).toHtmlEscaped();
    return tr("<b>%1 models in one place</b><br>%2<br>Each click chooses the next one.")
        .arg(formatCount(stack.size()), names.join(QStringLiteral("<br>")));
}

QString ScatterPanel::keptToolTip() const {
    const auto text = [this](std::string_view id) { return formatNumber(keptScores()->metric(id)); };
    return tr("<b>%1</b>, kept samples: %2<br>Clipped density %3, clipped coverage %4 "
              "(relative to as many good samples), coverage %5")
        .arg(QString::fromStdString(state().current().name).toHtmlEscaped(), formatCount(keptScores()->keptCount),
             text("clipped_density"), text("clipped_coverage"), text("coverage"));
}

void ScatterPanel::stateChanged(const Changes& changes) {
    if (changes.audit) {
        runs_ = count() > 0 ? modelRuns(*state().audit) : std::vector<ModelRun>();
        placePathButton();
    }
    draw();
}

void ScatterPanel::placePathButton() {
    // Below the axis upwards and left of the one across, where neither has numbers.
    pathButton_->setVisible(!runs_.empty());
    pathButton_->adjustSize();
    pathButton_->move(0, plot_->height() - pathButton_->height());
    pathButton_->raise();
}

void ScatterPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    placePathButton();
}

PlotSeries ScatterPanel::paths() const {
    const QPointF gap(std::numeric_limits<double>::quiet_NaN(), 0.0);
    PlotSeries path{
        .line = QPen(colors::mutedText(palette()), 1.2), .hasArrows = true, .pick = PlotSeries::Pick::Nothing};
    for (const ModelRun& run : runs_) {
        for (const RunPoint& point : run.points)
            path.points.push_back(valueOf(point.model));
        path.points.push_back(gap);
    }
    return path;
}

/// Suspicious ones have a shape of their own, so that the warning does not hang on the two characters of their mark.
PlotSeries ScatterPanel::models(bool suspicious) const {
    PlotSeries series;
    series.mark = {suspicious ? MarkShape::TriangleUp : MarkShape::Circle, suspicious ? 14.0 : 10.0,
                   colors::synthetic(palette()), QPen(palette().color(QPalette::Base), 1.5)};
    const auto intervalOf = [](const ModelAudit& model, std::string_view metric) {
        const MetricInterval* interval = model.interval(metric);
        return interval ? PlotInterval{interval->low, interval->high} : PlotInterval();
    };
    for (std::size_t model = 0; model < count(); ++model) {
        const ModelAudit& audit = *state().audit->models[model];
        if (concernText(audit).isEmpty() == suspicious)
            continue;
        series.points.push_back(valueOf(model));
        series.across.push_back(intervalOf(audit, "clipped_density"));
        series.upwards.push_back(intervalOf(audit, "clipped_coverage"));
        series.names << markedName(audit);
        series.ids.push_back(model);
    }
    return series;
}

PlotSeries ScatterPanel::kept() const {
    // Hollow: no set of its own. Seen around a mark that it falls on.
    PlotSeries series{
        .mark = {MarkShape::Circle, 15.0, palette().color(QPalette::Base), QPen(colors::synthetic(palette()), 2.0)},
        .ids = {kKept},
        .pick = PlotSeries::Pick::Described};
    if (keptScores() != nullptr && state().hasModel())
        series.points = {{keptScores()->metric("clipped_density"), keptScores()->metric("clipped_coverage")}};
    return series;
}

PlotSeries ScatterPanel::wayToKept() const {
    PlotSeries way{.line = QPen(colors::synthetic(palette()), 1.5, Qt::DotLine), .pick = PlotSeries::Pick::Nothing};
    way.points = kept().points;
    if (state().hasModel())
        way.points.push_back(valueOf(state().model));
    return way;
}

void ScatterPanel::draw() {
    PlotContent content;
    const auto axis = [](const QString& title, const QString& brief, const char* metric) {
        ChartAxis made{title, -0.05, 1.05};
        made.brief = brief;
        made.definition = metricToolTip(*findMetric(metric));
        return made;
    };
    content.x = axis(tr("Clipped density (fidelity)"), tr("Clipped density"), "clipped_density");
    content.y = axis(tr("Clipped coverage"), tr("Coverage"), "clipped_coverage");
    if (count() > 0)
        content.series = {wayToKept(), kept(), models(false), models(true)};
    if (pathButton_->isChecked() && !runs_.empty())
        content.series.push_back(paths());
    content.current = state().model;
    content.countsStacks = true;
    content.describe = [this](PlotPoint point) { return describe(point); };
    plot_->show(std::move(content));
}

} // namespace assay
