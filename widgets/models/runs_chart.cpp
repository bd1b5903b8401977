#include "widgets/models/runs_chart.h"

#include "widgets/charts/axis_ticks.h"
#include "widgets/charts/chart_frame.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/text/model_summary.h"
#include "widgets/text/score_text.h"

#include <QKeyEvent>
#include <QLineF>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr double kRunMark = 9.0;   // diameter
constexpr double kRunRing = 17.0;  // diameter
constexpr double kRunReach = 14.0; // how near a click must be
constexpr double kFarApart = 30.0; // numbers whose largest is so many times the smallest stand on a logarithmic axis
constexpr qsizetype kLettersOfRun = 60;

/// The axis of a score: from 0 to 1 for shares, else as far as the values and their intervals go.
ChartAxis scoreAxis(const Metric& metric, double low, double high) {
    if (metric.unit == Unit::Share && low >= 0.0 && high <= 1.0) {
        ChartAxis axis{titleWithUnit(metric), -0.03, 1.03};
        axis.definition = metricToolTip(metric);
        return axis;
    }
    if (!(high > low)) {
        const double room = low == 0.0 ? 1.0 : std::abs(low) / 10.0;
        low -= room;
        high += room;
    }
    const std::vector<double> ticks = axisTicks(low, high, 4);
    const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : high - low;
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 8);
    ChartAxis axis{titleWithUnit(metric), low - 0.05 * (high - low), high + 0.05 * (high - low), step, decimals};
    axis.definition = metricToolTip(metric);
    return axis;
}

QString numberTitle(const ModelRun& run) {
    if (run.hasWords)
        return RunsChart::tr("Model of the run");
    return run.parameter.empty() ? RunsChart::tr("Number in the name") : QString::fromStdString(run.parameter).left(30);
}

ChartAxis numberAxis(const ModelRun& run) {
    const double low = run.points.front().at;
    const double high = run.points.back().at;
    ChartAxis axis{numberTitle(run)};
    const bool isLogarithmic = !run.hasWords && low > 0.0 && high / low >= kFarApart;
    if (isLogarithmic) {
        const double room = std::pow(high / low, 0.04);
        axis.from = low / room;
        axis.to = high * room;
        axis.scale = ChartAxis::Scale::Logarithmic;
    } else {
        axis.from = low - 0.06 * (high - low);
        axis.to = high + 0.06 * (high - low);
    }
    for (const RunPoint& point : run.points) {
        if (!axis.ticks.empty() && axis.ticks.back() == point.at)
            continue;
        axis.ticks.push_back(point.at);
        axis.names << (point.text.empty() ? RunsChart::tr("end") : QString::fromStdString(point.text).left(20));
    }
    return axis;
}

} // namespace

std::vector<ModelRun> runsOf(const ViewState& state) {
    std::vector<std::string> names;
    if (state.audit)
        for (const auto& model : state.audit->models)
            names.push_back(model->name);
    return modelRuns(names);
}

QString runTitle(const ModelRun& run) {
    const QString title =
        QString::fromStdString(run.prefix) + QStringLiteral("\u2026") + QString::fromStdString(run.suffix);
    if (title.size() <= kLettersOfRun)
        return title;
    return title.left(kLettersOfRun / 2) + QStringLiteral("\u2026") + title.right(kLettersOfRun / 2);
}

RunsChart::RunsChart(QWidget* parent) : QWidget(parent), frame_(new ChartFrame(this)) {
    setObjectName(QStringLiteral("runsChart"));
    setFocusPolicy(Qt::StrongFocus);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(frame_);
    frame_->setOverlay([this](QPainter& painter) { paint(painter); });
    connect(frame_, &ChartFrame::clicked, this, [this](QPoint point) {
        setFocus(Qt::MouseFocusReason);
        if (const auto place = placeAt(point); place && run_->points[*place].model != state_.model)
            emit modelChosen(run_->points[*place].model);
    });
    connect(frame_, &ChartFrame::mouseMoved, this,
            [this](QPoint point) { frame_->setCursor(placeAt(point) ? Qt::PointingHandCursor : Qt::ArrowCursor); });
    connect(frame_, &ChartFrame::toolTipWanted, this, &RunsChart::explain);
}

void RunsChart::show(const ViewState& state, const ModelRun* run, const Metric* metric) {
    state_ = state;
    run_ = run == nullptr ? std::nullopt : std::optional(*run);
    metric_ = metric;
    if (run_ && metric_ != nullptr) {
        setAxes();
        setAccessibleName(tr("%1 over %2").arg(catalogText(metric_->title), numberTitle(*run_)));
    }
    frame_->refresh();
}

const ModelAudit& RunsChart::modelAt(std::size_t place) const {
    return *state_.audit->models[run_->points[place].model];
}

double RunsChart::valueOf(std::size_t place) const {
    return metricOr(modelAt(place), metric_->id);
}

void RunsChart::setAxes() {
    double low = std::nan("");
    double high = std::nan("");
    const auto include = [&](double value) {
        low = std::isnan(low) ? value : std::isnan(value) ? low : std::min(low, value);
        high = std::isnan(high) ? value : std::isnan(value) ? high : std::max(high, value);
    };
    for (std::size_t place = 0; place < run_->points.size(); ++place) {
        include(valueOf(place));
        if (const MetricInterval* interval = modelAt(place).interval(metric_->id)) {
            include(interval->low);
            include(interval->high);
        }
    }
    if (std::isnan(low))
        low = high = 0.0;
    frame_->setAxes(numberAxis(*run_), scoreAxis(*metric_, low, high));
}

std::optional<QPointF> RunsChart::pointOf(std::size_t place) const {
    if (!run_ || metric_ == nullptr || place >= run_->points.size() || !std::isfinite(valueOf(place)))
        return std::nullopt;
    return frame_->toWidget({run_->points[place].at, valueOf(place)});
}

std::optional<std::size_t> RunsChart::placeAt(QPoint point) const {
    std::optional<std::size_t> nearest;
    double least = kRunReach;
    for (std::size_t place = 0; run_ && place < run_->points.size(); ++place) {
        const auto at = pointOf(place);
        if (!at)
            continue;
        const double distance = QLineF(*at, point).length();
        if (distance < least) {
            least = distance;
            nearest = place;
        }
    }
    return nearest;
}

void RunsChart::paint(QPainter& painter) const {
    if (!run_ || metric_ == nullptr)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(frame_->plotArea().adjusted(-kRunRing, -kRunRing, kRunRing, kRunRing));
    const QColor color = colors::synthetic(palette());
    std::optional<QPointF> before;
    painter.setPen(QPen(color, 1.5));
    for (std::size_t place = 0; place < run_->points.size(); ++place) {
        const auto at = pointOf(place);
        if (at && before)
            painter.drawLine(*before, *at);
        before = at; // no line across a model without a value
    }
    for (std::size_t place = 0; place < run_->points.size(); ++place) {
        const auto at = pointOf(place);
        if (!at)
            continue;
        const RunPoint& point = run_->points[place];
        if (const MetricInterval* interval = modelAt(place).interval(metric_->id)) {
            const QPointF low = frame_->toWidget({point.at, interval->low});
            const QPointF high = frame_->toWidget({point.at, interval->high});
            painter.setPen(QPen(color, 1.5));
            painter.drawLine(low, high);
            for (const QPointF& end : {low, high})
                painter.drawLine(end - QPointF(4, 0), end + QPointF(4, 0));
        }
        painter.setPen(QPen(palette().color(QPalette::Base), 1.5));
        painter.setBrush(color);
        painter.drawEllipse(*at, kRunMark / 2, kRunMark / 2);
        painter.setBrush(Qt::NoBrush);
        if (point.model == state_.model) {
            painter.setPen(QPen(palette().color(QPalette::WindowText), hasFocus() ? 2.5 : 1.5));
            painter.drawEllipse(*at, kRunRing / 2, kRunRing / 2);
        }
    }
}

void RunsChart::explain(QPoint point, QPoint globalPoint) {
    const auto place = placeAt(point);
    if (!place) {
        QToolTip::hideText();
        return;
    }
    const ModelAudit& model = modelAt(*place);
    QToolTip::showText(globalPoint,
                       QStringLiteral("<b>%1</b><br>%2: %3")
                           .arg(QString::fromStdString(model.name).left(200).toHtmlEscaped(),
                                catalogText(metric_->title).toHtmlEscaped(), fullScoreText(model, *metric_)),
                       this);
}

void RunsChart::keyPressEvent(QKeyEvent* event) {
    if (frame_->navigate(*event))
        return;
    const bool isLeft = event->key() == Qt::Key_Left;
    if (!run_ || (!isLeft && event->key() != Qt::Key_Right)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const auto& points = run_->points;
    const auto at = std::ranges::find(points, state_.model, &RunPoint::model);
    if (at == points.end()) // the current model is not of the run
        emit modelChosen(isLeft ? points.back().model : points.front().model);
    else if (isLeft && at != points.begin())
        emit modelChosen((at - 1)->model);
    else if (!isLeft && at + 1 != points.end())
        emit modelChosen((at + 1)->model);
}

void RunsChart::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    frame_->refresh();
}

void RunsChart::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    frame_->refresh();
}

} // namespace assay
