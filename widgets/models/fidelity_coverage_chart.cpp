#include "widgets/models/fidelity_coverage_chart.h"

#include "widgets/charts/chart_frame.h"
#include "widgets/common/colors.h"
#include "widgets/common/elided_name.h"
#include "widgets/common/number_format.h"
#include "widgets/link/figure_parameters.h"
#include "widgets/models/runs_chart.h"
#include "widgets/text/model_summary.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScatterSeries>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

namespace assay {
namespace {

constexpr double kMark = 10.0;      // diameter
constexpr double kTriangle = 14.0;  // side of the square around it
constexpr double kCurrentRing = 18; // diameter
constexpr double kKeptRing = 15;    // diameter: seen around a mark that it falls on
constexpr double kReach = 14.0;     // how near a click must be
constexpr int kLongestName = 130;

} // namespace

FidelityCoverageChart::FidelityCoverageChart(PanelHost& host)
    : Panel(host) {
    setObjectName(QStringLiteral("fidelityCoverageChart"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(title());
    frame_ = new ChartFrame(this);
    const auto axis = [](const QString& title, const QString& brief, const char* metric) {
        ChartAxis made{title, -0.05, 1.05};
        made.brief = brief;
        made.definition = metricToolTip(*findMetric(metric));
        return made;
    };
    frame_->setAxes(axis(tr("Clipped density (fidelity)"), tr("Clipped density"), "clipped_density"),
                    axis(tr("Clipped coverage"), tr("Coverage"), "clipped_coverage"));
    for (QScatterSeries** series : {&good_, &suspicious_, &kept_}) {
        *series = new QScatterSeries(this);
        frame_->addSeries(*series);
    }
    // A shape of its own, so that the warning does not hang on two characters.
    suspicious_->setMarkerShape(QScatterSeries::MarkerShapeTriangle);
    good_->setMarkerSize(kMark);
    suspicious_->setMarkerSize(kTriangle);
    kept_->setMarkerSize(kKeptRing);
    themeSeries();
    setContent(frame_, tr("Every synthetic set is a point here: good ones at the top right."));
    pathButton_ = new QToolButton(frame_);
    pathButton_->setObjectName(QStringLiteral("runPaths"));
    pathButton_->setText(tr("Paths"));
    pathButton_->setToolTip(tr("Show models of one run as a path, in the order of the number in their names"));
    pathButton_->setCheckable(true);
    pathButton_->setChecked(true);
    pathButton_->setAutoRaise(true);
    pathButton_->hide();
    connect(pathButton_, &QToolButton::toggled, frame_, &ChartFrame::refresh);
    frame_->setOverlay([this](QPainter& painter) { paintMarks(painter); });
    connect(frame_, &ChartFrame::themed, this, &FidelityCoverageChart::themeSeries);
    connect(frame_, &ChartFrame::mouseMoved, this, [this](QPoint point) { hover(modelAt(point)); });
    connect(frame_, &ChartFrame::mouseLeft, this, [this] { hover(std::nullopt); });
    connect(frame_, &ChartFrame::clicked, this, [this](QPoint point) {
        setFocus(Qt::MouseFocusReason);
        const auto model = modelAt(point);
        if (model && clicked(*model) != state().model)
            this->host().setModel(clicked(*model));
    });
    connect(frame_, &ChartFrame::toolTipWanted, this, [this](QPoint point, QPoint globalPoint) {
        const auto kept = keptMark();
        if (kept && QLineF(*kept, point).length() < kMark)
            QToolTip::showText(globalPoint, keptToolTip(), this);
        else if (const auto model = modelAt(point))
            QToolTip::showText(globalPoint, toolTipOf(*model), this);
        else
            QToolTip::hideText();
    });
}

std::optional<Figure> FidelityCoverageChart::figure() {
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

std::size_t FidelityCoverageChart::count() const {
    return state().audit ? state().audit->models.size() : 0;
}

QPointF FidelityCoverageChart::valueOf(std::size_t model) const {
    const ModelAudit& audit = *state().audit->models[model];
    const double x = metricOr(audit, "clipped_density");
    const double y = metricOr(audit, "clipped_coverage");
    return {std::isnan(x) ? 0.0 : x, std::isnan(y) ? 0.0 : y};
}

QPointF FidelityCoverageChart::pointOf(std::size_t model) const {
    return frame_->toWidget(valueOf(model), good_);
}

QPoint FidelityCoverageChart::markOf(std::size_t model) const {
    return pointOf(model).toPoint();
}

std::vector<std::size_t> FidelityCoverageChart::togetherWith(std::size_t model) const {
    std::vector<std::size_t> together;
    for (std::size_t other = 0; other < count(); ++other)
        if (QLineF(pointOf(model), pointOf(other)).length() < kMark / 2)
            together.push_back(other);
    return together;
}

std::size_t FidelityCoverageChart::clicked(std::size_t model) const {
    const std::vector<std::size_t> together = togetherWith(model);
    const auto current = std::find(together.begin(), together.end(), state().model);
    if (current == together.end())
        return model;
    return current + 1 == together.end() ? together.front() : *(current + 1);
}

std::optional<std::size_t> FidelityCoverageChart::modelAt(QPoint point) const {
    std::optional<std::size_t> nearest;
    double least = kReach;
    for (std::size_t model = 0; model < count(); ++model) {
        const double distance = QLineF(pointOf(model), point).length();
        if (distance < least && frame_->isInPart(valueOf(model))) {
            least = distance;
            nearest = model;
        }
    }
    for (std::size_t model = 0; !nearest && model < nameRects_.size(); ++model)
        if (nameRects_[model].contains(point))
            nearest = model;
    return nearest;
}

void FidelityCoverageChart::hover(std::optional<std::size_t> model) {
    if (model == hovered_)
        return;
    hovered_ = model;
    frame_->setCursor(model ? Qt::PointingHandCursor : Qt::ArrowCursor);
    frame_->refresh();
}

void FidelityCoverageChart::themeSeries() {
    for (QScatterSeries* series : {good_, suspicious_}) {
        series->setColor(colors::synthetic(palette()));
        series->setPen(QPen(palette().color(QPalette::Base), 1.5));
    }
    kept_->setColor(palette().color(QPalette::Base)); // hollow: no set of its own
    kept_->setPen(QPen(colors::synthetic(palette()), 2.0));
}

std::optional<QPointF> FidelityCoverageChart::keptMark() const {
    if (kept_->count() == 0)
        return std::nullopt;
    return frame_->toWidget(kept_->at(0), kept_);
}

void FidelityCoverageChart::showKept() {
    kept_->clear();
    if (keptScores() == nullptr || !state().hasModel())
        return;
    const QPointF value(keptScores()->metric("clipped_density"), keptScores()->metric("clipped_coverage"));
    if (!std::isnan(value.x()) && !std::isnan(value.y()))
        kept_->append(value);
}

QString FidelityCoverageChart::toolTipOf(std::size_t model) const {
    const std::vector<std::size_t> together = togetherWith(model);
    if (together.size() == 1)
        return modelToolTip(*state().audit->models[model]);
    QStringList names;
    for (const std::size_t other : together)
        names << QString::fromStdString(state().audit->models[other]->name).toHtmlEscaped();
    return tr("<b>%1 models in one place</b><br>%2<br>Each click chooses the next one.")
        .arg(formatCount(together.size()), names.join(QStringLiteral("<br>")));
}

QString FidelityCoverageChart::keptToolTip() const {
    const auto text = [this](std::string_view id) { return formatNumber(keptScores()->metric(id)); };
    return tr("<b>%1</b>, kept samples: %2<br>Clipped density %3, clipped coverage %4 "
              "(relative to as many good samples), coverage %5")
        .arg(QString::fromStdString(state().current().name).toHtmlEscaped(), formatCount(keptScores()->keptCount),
             text("clipped_density"), text("clipped_coverage"), text("coverage"));
}

void FidelityCoverageChart::stateChanged(const Changes& changes) {
    if (changes.audit) {
        QList<QPointF> good;
        QList<QPointF> suspicious;
        isSuspicious_.clear();
        nameRects_.clear();
        hovered_.reset();
        for (std::size_t model = 0; model < count(); ++model) {
            isSuspicious_.push_back(!concernText(*state().audit->models[model]).isEmpty());
            (isSuspicious_.back() ? suspicious : good) << valueOf(model);
        }
        good_->replace(good);
        suspicious_->replace(suspicious);
        runs_ = runsOf(state());
    }
    showKept();
    placePathButton();
    frame_->refresh();
}

void FidelityCoverageChart::placePathButton() {
    // Below the axis upwards and left of the one across, where neither has numbers.
    pathButton_->setVisible(!runs_.empty());
    pathButton_->adjustSize();
    pathButton_->move(0, frame_->height() - pathButton_->height());
    pathButton_->raise();
}

void FidelityCoverageChart::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    placePathButton();
}

QList<QLineF> FidelityCoverageChart::pathLines() const {
    QList<QLineF> lines;
    if (!pathButton_->isChecked())
        return lines;
    for (const ModelRun& run : runs_)
        for (std::size_t at = 1; at < run.points.size(); ++at)
            lines << QLineF(pointOf(run.points[at - 1].model), pointOf(run.points[at].model));
    return lines;
}

void FidelityCoverageChart::paintPaths(QPainter& painter) const {
    constexpr double kHead = 6.0;
    const QColor color = colors::mutedText(palette());
    for (const QLineF& line : pathLines()) {
        painter.setPen(QPen(color, 1.2));
        painter.drawLine(line);
        if (line.length() < kMark + 2 * kHead)
            continue; // the marks would cover an arrow
        QLineF along = line.unitVector();
        const QPointF step(along.dx(), along.dy());
        const QPointF side(-step.y(), step.x());
        const QPointF tip = line.pointAt(0.5) + step * (kHead / 2);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPolygon(
            QPolygonF({tip, tip - step * kHead + side * (kHead / 2), tip - step * kHead - side * (kHead / 2)}));
        painter.setBrush(Qt::NoBrush);
    }
}

std::vector<std::size_t> FidelityCoverageChart::paintOrder() const {
    std::vector<std::size_t> order(count());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // The current model's name gets the best place.
    std::stable_partition(order.begin(), order.end(), [this](std::size_t model) { return model == state().model; });
    return order;
}

void FidelityCoverageChart::paintMarks(QPainter& painter) {
    nameRects_.assign(count(), QRectF());
    std::vector<QRectF> taken = markRects();
    const std::vector<QRectF> badges = countRects();
    std::ranges::copy_if(badges, std::back_inserter(taken), [](const QRectF& badge) { return !badge.isNull(); });
    painter.setRenderHint(QPainter::Antialiasing);
    paintPaths(painter);
    for (std::size_t model = 0; model < count(); ++model)
        paintInterval(painter, model);
    paintWayToKept(painter);
    paintRing(painter, state().model, palette().color(QPalette::WindowText), hasFocus() ? 2.5 : 1.5);
    if (hovered_ && hovered_ != state().model)
        paintRing(painter, *hovered_, colors::mutedText(palette()), 1.5);
    for (const std::size_t model : paintOrder()) {
        if (!badges[model].isNull())
            paintCount(painter, model, badges[model]);
        paintName(painter, model, pointOf(model), taken);
    }
}

QFont FidelityCoverageChart::countFont() const {
    QFont font = this->font();
    font.setBold(true);
    font.setPointSizeF(0.8 * font.pointSizeF());
    return font;
}

std::vector<QRectF> FidelityCoverageChart::markRects() const {
    std::vector<QRectF> marks;
    for (std::size_t model = 0; model < count(); ++model) {
        const double size = model == state().model ? kCurrentRing + 2 : kMark;
        marks.emplace_back(pointOf(model) - QPointF(size, size) / 2, QSizeF(size, size));
    }
    return marks;
}

std::vector<QRectF> FidelityCoverageChart::countRects() const {
    const std::vector<QRectF> marks = markRects();
    const QFontMetricsF metrics(countFont());
    std::vector<QRectF> badges(count());
    for (std::size_t model = 0; model < count(); ++model) {
        const std::vector<std::size_t> together = togetherWith(model);
        if (together.size() < 2 || together.front() != model)
            continue;
        const QSizeF size(metrics.horizontalAdvance(formatCount(together.size())) + 6, metrics.height());
        // At the corner of the mark where it hides the least.
        const double beside = kMark / 2 - 2;
        const QPointF at = pointOf(model);
        const std::array places{QRectF(at + QPointF(beside, beside), size),
                                QRectF(at + QPointF(beside, -beside - size.height()), size),
                                QRectF(at + QPointF(-beside - size.width(), beside), size),
                                QRectF(at + QPointF(-beside - size.width(), -beside - size.height()), size)};
        const auto hidden = [&](const QRectF& place) {
            const auto meets = [&place](const QRectF& other) { return place.intersects(other); };
            std::ptrdiff_t found = std::ranges::count_if(badges, meets);
            for (std::size_t other = 0; other < count(); ++other)
                if (std::ranges::find(together, other) == together.end())
                    found += meets(marks[other]) ? 1 : 0;
            return found + (QRectF(rect()).contains(place) ? 0 : static_cast<std::ptrdiff_t>(count()));
        };
        badges[model] = *std::ranges::min_element(places, {}, hidden);
    }
    return badges;
}

void FidelityCoverageChart::paintCount(QPainter& painter, std::size_t model, const QRectF& badge) const {
    painter.setFont(countFont());
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::WindowText));
    painter.drawRoundedRect(badge, 4, 4);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(palette().color(QPalette::Base));
    painter.drawText(badge, Qt::AlignCenter, formatCount(togetherWith(model).size()));
}

void FidelityCoverageChart::paintWayToKept(QPainter& painter) const {
    const auto kept = keptMark();
    if (!kept)
        return;
    QLineF way(pointOf(state().model), *kept);
    if (way.length() <= kKeptRing / 2)
        return;
    way.setLength(way.length() - kKeptRing / 2); // up to the ring
    painter.setPen(QPen(colors::synthetic(palette()), 1.5, Qt::DotLine));
    painter.drawLine(way);
}

void FidelityCoverageChart::paintInterval(QPainter& painter, std::size_t model) const {
    const QLineF across = intervalLine(model, Qt::Horizontal);
    const QLineF upwards = intervalLine(model, Qt::Vertical);
    QColor color = colors::synthetic(palette());
    color.setAlphaF(model == state().model ? 0.9F : 0.45F);
    painter.setPen(QPen(color, 1.5));
    for (const QLineF& line : {across, upwards})
        if (!line.isNull())
            painter.drawLine(line);
}

QLineF FidelityCoverageChart::intervalLine(std::size_t model, Qt::Orientation along) const {
    const bool across = along == Qt::Horizontal;
    const MetricInterval* interval =
        state().audit->models[model]->interval(across ? "clipped_density" : "clipped_coverage");
    if (interval == nullptr)
        return {};
    const QPointF value = valueOf(model);
    return across ? QLineF(frame_->toWidget({interval->low, value.y()}), frame_->toWidget({interval->high, value.y()}))
                  : QLineF(frame_->toWidget({value.x(), interval->low}), frame_->toWidget({value.x(), interval->high}));
}

void FidelityCoverageChart::paintRing(QPainter& painter, std::size_t model, const QColor& color, double width) const {
    painter.setPen(QPen(color, width));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(pointOf(model), kCurrentRing / 2, kCurrentRing / 2);
}

QRectF FidelityCoverageChart::placeName(QSizeF size, QPointF mark, const std::vector<QRectF>& taken) const {
    const QRectF plot = frame_->plotArea();
    const double off = kCurrentRing / 2 + 3;
    const double w = size.width();
    const double h = size.height();
    std::vector<QPointF> corners{QPointF(off, -h / 2),           QPointF(-off - w, -h / 2),
                                 QPointF(-w / 2, -off - h),      QPointF(-w / 2, off),
                                 QPointF(off - 4, -off - h + 4), QPointF(-off - w + 4, -off - h + 4),
                                 QPointF(off - 4, off - 4),      QPointF(-off - w + 4, off - 4)};
    // Under or over the mark, pushed back into the plot: good models sit at its edge.
    const double inside =
        std::clamp(-w / 2, plot.left() - mark.x(), std::max(plot.left(), plot.right() - w) - mark.x());
    corners.emplace_back(inside, off);
    corners.emplace_back(inside, -off - h);
    for (int line = 1; line <= 4; ++line) // crowded: some lines further off, with a line back to the mark
        for (const double x : {-off - w, -w / 2, off})
            for (const double y : {off + line * h, -off - (line + 1) * h})
                corners.emplace_back(x, y);
    for (const QPointF& corner : corners) {
        const QRectF rect(mark + corner, size);
        if (plot.contains(rect) &&
            std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(rect); }))
            return rect;
    }
    return {}; // no room: the tooltip still names it
}

void FidelityCoverageChart::paintName(QPainter& painter, std::size_t model, QPointF at, std::vector<QRectF>& taken) {
    QFont font = this->font();
    font.setBold(model == state().model);
    const QFontMetricsF metrics(font);
    QStringList names;
    for (const auto& audited : state().audit->models)
        names.append(QString::fromStdString(audited->name));
    const QString mark = isSuspicious_[model] ? tr(" (!)") : QString();
    // In a small chart names leave some of its width to each other.
    const double room =
        std::min<double>(kLongestName, 0.7 * frame_->plotArea().width() - metrics.horizontalAdvance(mark));
    const QString name = elidedName(names[static_cast<qsizetype>(model)], names, metrics, room) + mark;
    const QRectF rect = placeName({metrics.horizontalAdvance(name) + 2, metrics.height()}, at, taken);
    if (rect.isNull())
        return;
    taken.push_back(rect);
    nameRects_[model] = rect;
    if (std::abs(rect.center().y() - at.y()) > rect.height() + kCurrentRing) {
        painter.setPen(QPen(colors::mutedText(palette()), 1.0));
        painter.drawLine(at, QPointF(std::clamp(at.x(), rect.left(), rect.right()),
                                     at.y() < rect.top() ? rect.top() : rect.bottom()));
    }
    QColor veil = palette().color(QPalette::Base); // grid lines must not cross the letters
    veil.setAlphaF(0.8F);
    painter.fillRect(rect, veil);
    painter.setFont(font);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(rect, Qt::AlignCenter, name);
}

void FidelityCoverageChart::keyPressEvent(QKeyEvent* event) {
    if (frame_->navigate(*event))
        return;
    const bool left = event->key() == Qt::Key_Left;
    if ((!left && event->key() != Qt::Key_Right) || !state().hasModel()) {
        Panel::keyPressEvent(event);
        return;
    }
    // The neighbour on the axis, so that the arrow says where the ring goes.
    std::vector<std::size_t> order(count());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [this](std::size_t a, std::size_t b) { return valueOf(a).x() < valueOf(b).x(); });
    const auto at = std::find(order.begin(), order.end(), state().model);
    if (left && at != order.begin())
        host().setModel(*(at - 1));
    else if (!left && at + 1 != order.end())
        host().setModel(*(at + 1));
    frame_->reveal(valueOf(state().model));
}

void FidelityCoverageChart::focusInEvent(QFocusEvent* event) {
    Panel::focusInEvent(event);
    frame_->refresh();
}

void FidelityCoverageChart::focusOutEvent(QFocusEvent* event) {
    Panel::focusOutEvent(event);
    frame_->refresh();
}

} // namespace assay
