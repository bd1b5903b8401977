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

constexpr double kRunMark = 9.0;    // diameter
constexpr double kBesideMark = 7.0; // edge
constexpr double kRunRing = 17.0;   // diameter
constexpr double kRunReach = 14.0;  // how near a click must be
constexpr double kFarApart = 30.0;  // numbers whose largest is so many times the smallest stand on a logarithmic axis
constexpr std::size_t kMostBeside = 5; // lines that can be told from each other
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

std::vector<ModelRun> runsBeside(const ModelRun& run, std::span<const ModelRun> all) {
    std::vector<ModelRun> beside;
    for (const ModelRun& other : all) {
        const bool shares = std::ranges::any_of(other.points, [&](const RunPoint& point) {
            return std::ranges::find(run.points, point.model, &RunPoint::model) != run.points.end();
        });
        if (!shares && other.parameter == run.parameter && other.hasWords == run.hasWords &&
            beside.size() < kMostBeside)
            beside.push_back(other);
    }
    return beside;
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
        if (const auto place = placeAt(point); place && pointAt(*place).model != state_.model)
            emit modelChosen(pointAt(*place).model);
    });
    connect(frame_, &ChartFrame::mouseMoved, this,
            [this](QPoint point) { frame_->setCursor(placeAt(point) ? Qt::PointingHandCursor : Qt::ArrowCursor); });
    connect(frame_, &ChartFrame::toolTipWanted, this, &RunsChart::explain);
}

void RunsChart::show(const ViewState& state, std::vector<ModelRun> runs, const Metric* metric) {
    state_ = state;
    runs_ = std::move(runs);
    metric_ = metric;
    if (isShown()) {
        setAxes();
        setAccessibleName(tr("%1 over %2").arg(catalogText(metric_->title), numberTitle(runs_.front())));
    }
    frame_->refresh();
}

double RunsChart::valueOf(Place place) const {
    return metricOr(modelAt(place), metric_->id);
}

void RunsChart::setAxes() {
    double low = std::nan("");
    double high = std::nan("");
    const auto include = [&](double value) {
        low = std::isnan(low) ? value : std::isnan(value) ? low : std::min(low, value);
        high = std::isnan(high) ? value : std::isnan(value) ? high : std::max(high, value);
    };
    ModelRun all = runs_.front();
    for (std::size_t run = 0; run < runs_.size(); ++run)
        for (std::size_t point = 0; point < runs_[run].points.size(); ++point) {
            include(valueOf({run, point}));
            if (run > 0)
                all.points.push_back(pointAt({run, point}));
            if (const MetricInterval* interval = run == 0 ? modelAt({run, point}).interval(metric_->id) : nullptr) {
                include(interval->low);
                include(interval->high);
            }
        }
    if (std::isnan(low))
        low = high = 0.0;
    std::ranges::stable_sort(all.points, {}, &RunPoint::at);
    frame_->setAxes(numberAxis(all), scoreAxis(*metric_, low, high));
}

std::optional<QPointF> RunsChart::pointOf(std::size_t place, std::size_t run) const {
    if (!isShown() || run >= runs_.size() || place >= runs_[run].points.size() || !std::isfinite(valueOf({run, place})))
        return std::nullopt;
    return frame_->toWidget({pointAt({run, place}).at, valueOf({run, place})});
}

/// Of equally near points one of the run in hand.
std::optional<RunsChart::Place> RunsChart::placeAt(QPoint point) const {
    std::optional<Place> nearest;
    double least = kRunReach;
    for (std::size_t run = 0; isShown() && run < runs_.size(); ++run)
        for (std::size_t place = 0; place < runs_[run].points.size(); ++place) {
            const auto at = pointOf(place, run);
            if (!at)
                continue;
            const double distance = QLineF(*at, point).length();
            if (distance < least) {
                least = distance;
                nearest = Place{run, place};
            }
        }
    return nearest;
}

QColor RunsChart::colorOf(std::size_t run, const QPalette& palette) {
    return run == 0 ? colors::synthetic(palette) : colors::line(run + 1, palette); // line 0 is like the first run
}

void RunsChart::paintSample(QPainter& painter, const QRectF& box, std::size_t run, const QPalette& palette) {
    const QColor color = colorOf(run, palette);
    painter.setPen(QPen(color, 1.5, run == 0 ? Qt::SolidLine : Qt::DashLine));
    painter.drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    const double size = run == 0 ? kRunMark : kBesideMark;
    const QRectF mark(box.center() - QPointF(size / 2, size / 2), QSizeF(size, size));
    if (run == 0)
        painter.drawEllipse(mark);
    else
        painter.drawRect(mark);
    painter.setBrush(Qt::NoBrush);
}

void RunsChart::paintInterval(QPainter& painter, Place place) const {
    const MetricInterval* interval = modelAt(place).interval(metric_->id);
    if (interval == nullptr)
        return;
    const QPointF low = frame_->toWidget({pointAt(place).at, interval->low});
    const QPointF high = frame_->toWidget({pointAt(place).at, interval->high});
    painter.setPen(QPen(colorOf(place.run, palette()), 1.5));
    painter.drawLine(low, high);
    for (const QPointF& end : {low, high})
        painter.drawLine(end - QPointF(4, 0), end + QPointF(4, 0));
}

void RunsChart::paintRun(QPainter& painter, std::size_t run) const {
    const QColor color = colorOf(run, palette());
    const std::size_t count = runs_[run].points.size();
    std::optional<QPointF> before;
    painter.setPen(QPen(color, 1.5, run == 0 ? Qt::SolidLine : Qt::DashLine));
    for (std::size_t place = 0; place < count; ++place) {
        const auto at = pointOf(place, run);
        if (at && before)
            painter.drawLine(*before, *at);
        before = at; // no line across a model without a value
    }
    for (std::size_t place = 0; place < count; ++place) {
        const auto at = pointOf(place, run);
        if (!at)
            continue;
        if (run == 0) // intervals of all runs would hide each other
            paintInterval(painter, {run, place});
        const double size = run == 0 ? kRunMark : kBesideMark;
        const QRectF mark(*at - QPointF(size / 2, size / 2), QSizeF(size, size));
        painter.setPen(QPen(palette().color(QPalette::Base), 1.5));
        painter.setBrush(color);
        if (run == 0)
            painter.drawEllipse(mark);
        else
            painter.drawRect(mark); // not by colour alone
        painter.setBrush(Qt::NoBrush);
        if (pointAt({run, place}).model == state_.model) {
            painter.setPen(QPen(palette().color(QPalette::WindowText), hasFocus() ? 2.5 : 1.5));
            painter.drawEllipse(*at, kRunRing / 2, kRunRing / 2);
        }
    }
}

void RunsChart::paint(QPainter& painter) const {
    if (!isShown())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(frame_->plotArea().adjusted(-kRunRing, -kRunRing, kRunRing, kRunRing));
    for (std::size_t run = runs_.size(); run-- > 0;) // the one in hand above the others
        paintRun(painter, run);
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
    if (runs_.empty() || (!isLeft && event->key() != Qt::Key_Right)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const auto ofCurrent = std::ranges::find_if(runs_, [this](const ModelRun& run) {
        return std::ranges::find(run.points, state_.model, &RunPoint::model) != run.points.end();
    });
    const auto& points = (ofCurrent == runs_.end() ? runs_.front() : *ofCurrent).points;
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
