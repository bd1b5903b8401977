#include "widgets/curve_chart.h"

#include "widgets/axis_ticks.h"
#include "widgets/chart_frame.h"
#include "widgets/colors.h"
#include "widgets/line_style.h"
#include "widgets/number_format.h"

#include <QAreaSeries>
#include <QKeyEvent>
#include <QLineSeries>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace assay {
namespace {

constexpr double kStrongWidth = 3.2;
constexpr double kReach = 24.0; // pixels from the mouse to a line that it means
constexpr double kRing = 5.0;   // radius
constexpr std::size_t kFewPoints = 40;

ChartAxis axisFor(const QString& title, const ValueRange& range, Unit unit, double margin) {
    double low = range.low;
    double high = range.high;
    if (unit == Unit::Share && low >= 0.0 && high <= 1.0) {
        low = 0.0;
        high = 1.0;
    }
    if (!(high > low)) { // all the same: some room on either side
        const double room = low == 0.0 ? 1.0 : std::abs(low) / 10.0;
        low -= room;
        high += room;
    }
    const double room = margin * (high - low);
    const std::vector<double> ticks = axisTicks(low, high, 5);
    double step = ticks.size() > 1 ? ticks[1] - ticks[0] : high - low;
    if (unit == Unit::Count)
        step = std::max(1.0, std::round(step));
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 8);
    return {title, low - room, high + room, step, decimals};
}

struct OnSegment {
    double along; ///< share of the way from a to b
    double distance;
};

OnSegment nearestOn(QPointF a, QPointF b, QPointF point) {
    const QPointF way = b - a;
    const double length = QPointF::dotProduct(way, way);
    const double along = length > 0.0 ? std::clamp(QPointF::dotProduct(point - a, way) / length, 0.0, 1.0) : 0.0;
    const QPointF off = point - (a + along * way);
    return {along, std::hypot(off.x(), off.y())};
}

QString withUnit(const QString& title, Unit unit) {
    const QString name = unit == Unit::Nats ? unitName(unit) : QString();
    return name.isEmpty() || title.contains(name, Qt::CaseInsensitive) ? title
                                                                       : CurveChart::tr("%1 (%2)").arg(title, name);
}

} // namespace

CurveChart::CurveChart(QWidget* parent) : QWidget(parent), frame_(new ChartFrame(this)) {
    setObjectName(QStringLiteral("curveChart"));
    setFocusPolicy(Qt::StrongFocus);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(frame_);
    frame_->setOverlay([this](QPainter& painter) { paintOverlay(painter); });
    connect(frame_, &ChartFrame::themed, this, &CurveChart::draw);
    connect(frame_, &ChartFrame::mouseMoved, this, [this](QPoint point) { setCursorPoint(nearest(point)); });
    connect(frame_, &ChartFrame::mouseLeft, this, [this] { setCursorPoint(std::nullopt); });
    connect(frame_, &ChartFrame::mousePressed, this, [this](QPoint point) {
        setFocus(Qt::MouseFocusReason);
        setCursorPoint(nearest(point));
        if (cursor_)
            emit lineChosen(cursor_->line);
    });
}

void CurveChart::show(CurveAxes axes, std::vector<ChartLine> lines, std::vector<bool> shown) {
    axes_ = std::move(axes);
    lines_ = std::move(lines);
    highlighted_.reset();
    cursor_.reset();
    setShown(std::move(shown));
}

void CurveChart::setShown(std::vector<bool> shown) {
    shown_ = std::move(shown);
    if (cursor_ && !shown_[cursor_->line])
        cursor_.reset();
    fitAxes();
    draw();
}

void CurveChart::highlight(std::optional<std::size_t> line) {
    if (line == highlighted_)
        return;
    highlighted_ = line;
    draw();
}

QString CurveChart::yAxisTitle() const {
    std::optional<Unit> unit;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        if (!shown_[i])
            continue;
        if (unit && !shareAnAxis(*unit, lines_[i].unit))
            return axes_.yTitle; // several units: each line's name says its own
        unit = lines_[i].unit;
    }
    return withUnit(axes_.yTitle, unit.value_or(axes_.yUnit));
}

void CurveChart::fitAxes() {
    if (lines_.empty())
        return;
    ValueRange x;
    ValueRange y;
    bool shares = true;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        x.include(*lines_[i].x);
        if (!shown_[i])
            continue;
        shares = shares && lines_[i].unit == Unit::Share;
        y.include(lines_[i].line->y);
        y.include(lines_[i].line->low);
        y.include(lines_[i].line->high);
    }
    if (y.empty)
        y = {0.0, 1.0, false};
    frame_->setAxes(axisFor(withUnit(axes_.xTitle, axes_.xUnit), x, axes_.xUnit, 0.02),
                    axisFor(yAxisTitle(), y, shares ? Unit::Share : Unit::Ratio, 0.04));
}

void CurveChart::draw() {
    frame_->clearSeries();
    const auto strong = [this](std::size_t i) { return i == highlighted_ || (!highlighted_ && lines_[i].current); };
    for (std::size_t i = 0; i < lines_.size(); ++i)
        // Bands of a dozen models would hide each other.
        if (shown_[i] && (!lines_[i].model || strong(i)))
            drawBand(lines_[i]);
    for (std::size_t i = 0; i < lines_.size(); ++i)
        if (shown_[i] && !strong(i))
            drawLine(lines_[i], false);
    for (std::size_t i = 0; i < lines_.size(); ++i)
        if (shown_[i] && strong(i))
            drawLine(lines_[i], i == highlighted_);
    frame_->refresh();
}

void CurveChart::drawLine(const ChartLine& line, bool strong) {
    QPen pen = lineStyle(line, palette()).pen;
    if (strong)
        pen.setWidthF(kStrongWidth);
    for (const std::vector<QPointF>& run : runsOf(*line.x, line.line->y)) {
        auto* series = new QLineSeries(this);
        series->replace(QList<QPointF>(run.begin(), run.end()));
        series->setPen(pen);
        frame_->addSeries(series);
    }
}

void CurveChart::drawBand(const ChartLine& line) {
    const std::vector<double>& y = line.line->y;
    if (line.line->low.size() != y.size() || line.line->high.size() != y.size())
        return;
    std::vector<double> low = line.line->low;
    std::vector<double> high = line.line->high;
    for (std::size_t i = 0; i < y.size(); ++i)
        if (!std::isfinite(low[i]) || !std::isfinite(high[i]))
            low[i] = high[i] = std::nan("");
    const auto lower = runsOf(*line.x, low);
    const auto upper = runsOf(*line.x, high);
    QColor fill = lineStyle(line, palette()).pen.color();
    fill.setAlphaF(0.16F);
    for (std::size_t run = 0; run < lower.size(); ++run) {
        auto* area = new QAreaSeries(this);
        auto* from = new QLineSeries(area);
        auto* to = new QLineSeries(area);
        from->replace(QList<QPointF>(lower[run].begin(), lower[run].end()));
        to->replace(QList<QPointF>(upper[run].begin(), upper[run].end()));
        area->setLowerSeries(from);
        area->setUpperSeries(to);
        area->setBrush(fill);
        area->setPen(Qt::NoPen);
        frame_->addSeries(area);
    }
}

QPointF CurveChart::valueAt(Cursor at) const {
    const ChartLine& line = lines_[at.line];
    return {(*line.x)[at.point], line.line->y[at.point]};
}

bool CurveChart::isThere(Cursor at) const {
    const QPointF value = valueAt(at);
    return std::isfinite(value.x()) && std::isfinite(value.y());
}

QPoint CurveChart::positionOf(std::size_t line, std::size_t point) const {
    return frame_->toWidget(valueAt({line, point})).toPoint();
}

std::vector<std::size_t> CurveChart::currentFirst() const {
    std::vector<std::size_t> order(lines_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(), [this](std::size_t line) { return lines_[line].current; });
    return order;
}

std::optional<CurveChart::Cursor> CurveChart::nearest(QPoint point) const {
    std::optional<Cursor> best;
    double least = kReach;
    for (const std::size_t line : currentFirst()) { // which so wins where lines meet
        if (!shown_[line])
            continue;
        const std::size_t points = lines_[line].x->size();
        for (std::size_t i = 0; i < points; ++i) {
            if (!isThere({line, i}))
                continue;
            const std::size_t next = i + 1 < points && isThere({line, i + 1}) ? i + 1 : i;
            const OnSegment on = nearestOn(frame_->toWidget(valueAt({line, i})),
                                           frame_->toWidget(valueAt({line, next})), QPointF(point));
            if (on.distance >= least)
                continue;
            least = on.distance;
            best = Cursor{line, on.along < 0.5 ? i : next};
        }
    }
    return best;
}

std::optional<CurveChart::Cursor> CurveChart::moved(int key) const {
    const auto firstOn = [&](std::size_t line) -> std::optional<Cursor> {
        for (std::size_t point = 0; point < lines_[line].x->size(); ++point)
            if (isThere({line, point}))
                return Cursor{line, point};
        return std::nullopt;
    };
    if (!cursor_) {
        for (const std::size_t line : currentFirst())
            if (shown_[line])
                if (const auto first = firstOn(line))
                    return first;
        return std::nullopt;
    }
    const bool sideways = key == Qt::Key_Left || key == Qt::Key_Right;
    const std::ptrdiff_t step = key == Qt::Key_Left || key == Qt::Key_Up ? -1 : 1;
    if (sideways) {
        const auto count = static_cast<std::ptrdiff_t>(lines_[cursor_->line].x->size());
        for (auto point = static_cast<std::ptrdiff_t>(cursor_->point) + step; point >= 0 && point < count;
             point += step)
            if (const Cursor at{cursor_->line, static_cast<std::size_t>(point)}; isThere(at))
                return at;
        return cursor_;
    }
    const auto count = static_cast<std::ptrdiff_t>(lines_.size());
    for (auto line = static_cast<std::ptrdiff_t>(cursor_->line) + step; line >= 0 && line < count; line += step) {
        const auto other = static_cast<std::size_t>(line);
        if (!shown_[other] || !firstOn(other))
            continue;
        const Cursor same{other, std::min(cursor_->point, lines_[other].x->size() - 1)};
        return isThere(same) ? same : firstOn(other);
    }
    return cursor_;
}

void CurveChart::setCursorPoint(std::optional<Cursor> to) {
    if (to == cursor_)
        return;
    cursor_ = to;
    setAccessibleDescription(told());
    frame_->refresh();
}

void CurveChart::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    const bool arrow = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
    if (arrow && !lines_.empty())
        setCursorPoint(moved(key));
    else if ((key == Qt::Key_Return || key == Qt::Key_Enter) && cursor_)
        emit lineChosen(cursor_->line);
    else
        QWidget::keyPressEvent(event);
}

void CurveChart::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    frame_->refresh();
}

void CurveChart::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    frame_->refresh();
}

QString CurveChart::told() const {
    if (!cursor_)
        return {};
    const ChartLine& line = lines_[cursor_->line];
    const QPointF value = valueAt(*cursor_);
    QString y = formatWithUnit(value.y(), line.unit);
    if (line.line->low.size() == line.line->y.size() && line.line->high.size() == line.line->y.size())
        y = tr("%1 [%2, %3]")
                .arg(y, formatValue(line.line->low[cursor_->point], line.unit),
                     formatValue(line.line->high[cursor_->point], line.unit));
    QString told =
        tr("%1\n%2: %3\n%4: %5").arg(line.name, axes_.xTitle, formatWithUnit(value.x(), axes_.xUnit), axes_.yTitle, y);
    if (line.along)
        told += tr("\n%1: %2").arg(axes_.alongTitle, formatWithUnit((*line.along)[cursor_->point], axes_.alongUnit));
    return told;
}

void CurveChart::paintOverlay(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF plot = frame_->plotArea();
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1.0));
        painter.drawRect(plot);
    }
    if (std::none_of(shown_.begin(), shown_.end(), [](bool shown) { return shown; })) {
        painter.setPen(colors::mutedText(palette()));
        painter.drawText(plot, Qt::AlignCenter | Qt::TextWordWrap, tr("Tick a line to draw it."));
        return;
    }
    paintMarkers(painter);
    paintEnds(painter);
    paintCursor(painter);
}

/// Few points, such as one for each k, are seen as such; a lone one between gaps would not be seen at all.
void CurveChart::paintMarkers(QPainter& painter) const {
    const QColor background = palette().color(QPalette::Base);
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        if (!shown_[i] || lines_[i].ideal)
            continue;
        const LineStyle style = lineStyle(lines_[i], palette());
        const std::size_t points = lines_[i].x->size();
        for (std::size_t point = 0; point < points; ++point) {
            const bool alone =
                (point == 0 || !isThere({i, point - 1})) && (point + 1 == points || !isThere({i, point + 1}));
            if (isThere({i, point}) && (points <= kFewPoints || alone))
                paintMarker(painter, style, frame_->toWidget(valueAt({i, point})), background);
        }
    }
}

/// Which way a line runs that is not drawn from left to right: its first and last point by their value.
void CurveChart::paintEnds(QPainter& painter) const {
    const QFontMetricsF metrics(font());
    painter.setPen(colors::mutedText(palette()));
    std::vector<QPoint> named; // lines often begin at one point
    for (std::size_t line = 0; line < lines_.size(); ++line) {
        if (!shown_[line] || !lines_[line].along)
            continue;
        for (const std::size_t point : {std::size_t{0}, lines_[line].along->size() - 1}) {
            if (!isThere({line, point}) || std::ranges::count(named, positionOf(line, point)) > 0)
                continue;
            named.push_back(positionOf(line, point));
            const QString text = formatValue((*lines_[line].along)[point], axes_.alongUnit);
            QRectF box(frame_->toWidget(valueAt({line, point})) + QPointF(6, -metrics.height() - 2),
                       QSizeF(metrics.horizontalAdvance(text), metrics.height()));
            const QRectF plot = frame_->plotArea();
            box.moveRight(std::min(box.right(), plot.right()));
            box.moveTop(std::max(box.top(), plot.top()));
            painter.drawText(box, Qt::AlignCenter, text);
        }
    }
}

void CurveChart::paintCursor(QPainter& painter) const {
    if (!cursor_)
        return;
    const QRectF plot = frame_->plotArea();
    const QPointF at = frame_->toWidget(valueAt(*cursor_));
    painter.setPen(QPen(colors::mutedText(palette()), 1.0, Qt::DotLine));
    painter.drawLine(QPointF(at.x(), plot.top()), QPointF(at.x(), plot.bottom()));
    painter.setBrush(palette().color(QPalette::Base));
    painter.setPen(QPen(lineStyle(lines_[cursor_->line], palette()).pen.color(), 2.0));
    painter.drawEllipse(at, kRing, kRing);
    paintTold(painter, at);
}

/// What is told, in a box beside a point.
void CurveChart::paintTold(QPainter& painter, QPointF at) const {
    const QRectF plot = frame_->plotArea();
    const QFontMetricsF metrics(font());
    QStringList facts = told().split(QLatin1Char('\n'));
    double wide = 0.0;
    for (QString& fact : facts) {
        fact = metrics.elidedText(fact, Qt::ElideMiddle, 0.8 * plot.width());
        wide = std::max(wide, metrics.horizontalAdvance(fact));
    }
    const QSizeF size(wide + 12, metrics.height() * static_cast<double>(facts.size()) + 8);
    QRectF box(at + QPointF(12, -size.height() - 10), size);
    if (box.right() > plot.right())
        box.moveRight(at.x() - 12);
    if (box.top() < plot.top())
        box.moveTop(at.y() + 12);
    box.moveLeft(std::max(box.left(), 2.0));
    painter.setPen(colors::mutedText(palette()));
    painter.setBrush(palette().color(QPalette::ToolTipBase));
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(palette().color(QPalette::ToolTipText));
    painter.drawText(box.adjusted(6, 4, -6, -4), Qt::AlignLeft | Qt::AlignVCenter, facts.join(QLatin1Char('\n')));
}

} // namespace assay
