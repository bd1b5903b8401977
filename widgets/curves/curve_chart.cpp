#include "widgets/curves/curve_chart.h"

#include "widgets/charts/axis_ticks.h"
#include "widgets/charts/chart_frame.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/curves/line_style.h"

#include <QAreaSeries>
#include <QKeyEvent>
#include <QLineSeries>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace assay {
namespace {

constexpr double kStrongWidth = 3.2;
constexpr double kReach = 24.0; // pixels from the mouse to a line that it means
constexpr double kOnMark = 9.0; // from the mouse to a mark

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

/// A logarithmic axis of counts, with a tick at each. @param range above 0
ChartAxis logarithmicAxis(const QString& title, const ValueRange& range, const std::set<double>& counts) {
    const double room = std::max(std::pow(range.high / range.low, 0.03), 1.02);
    ChartAxis axis{title, range.low / room, range.high * room};
    axis.decimals = 0;
    axis.scale = ChartAxis::Scale::Logarithmic;
    axis.ticks.assign(counts.begin(), counts.end());
    return axis;
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
    connect(frame_, &ChartFrame::mouseMoved, this, [this](QPoint point) { ring(under(point)); });
    connect(frame_, &ChartFrame::mouseLeft, this, [this] { ring({}); });
    connect(frame_, &ChartFrame::clicked, this, [this](QPoint point) {
        setFocus(Qt::MouseFocusReason);
        ring(under(point));
        choose();
    });
}

void CurveChart::show(CurveAxes axes, std::vector<ChartLine> lines, std::vector<ChartMark> marks,
                      std::vector<bool> shown) {
    axes_ = std::move(axes);
    lines_ = std::move(lines);
    marks_ = std::move(marks);
    highlighted_.reset();
    ringed_ = {};
    setShown(std::move(shown));
}

void CurveChart::setShown(std::vector<bool> shown) {
    shown_ = std::move(shown);
    if (ringed_.point && !shown_[ringed_.point->line])
        ringed_.point.reset();
    if (ringed_.mark && !isDrawn(marks_[*ringed_.mark]))
        ringed_.mark.reset();
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
    std::set<double> xs;
    bool shares = true;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        x.include(*lines_[i].x);
        xs.insert(lines_[i].x->begin(), lines_[i].x->end());
        if (!shown_[i])
            continue;
        shares = shares && lines_[i].unit == Unit::Share;
        y.include(lines_[i].line->y);
        y.include(lines_[i].line->low);
        y.include(lines_[i].line->high);
    }
    for (const ChartMark& mark : marks_)
        if (mark.line && isDrawn(mark))
            y.include(mark.at.y());
    if (y.empty)
        y = {0.0, 1.0, false};
    const QString xTitle = withUnit(axes_.xTitle, axes_.xUnit);
    frame_->setAxes(axes_.logarithmicX && x.low > 0.0 ? logarithmicAxis(xTitle, x, xs)
                                                      : axisFor(xTitle, x, axes_.xUnit, 0.02),
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
        series->replace(frame_->plotted(run));
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
        from->replace(frame_->plotted(lower[run]));
        to->replace(frame_->plotted(upper[run]));
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
            const std::size_t end = on.along < 0.5 ? i : next;
            if (!frame_->isInPart(valueAt({line, end})))
                continue;
            least = on.distance;
            best = Cursor{line, end};
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
    if (!ringed_.point) {
        for (const std::size_t line : currentFirst())
            if (shown_[line])
                if (const auto first = firstOn(line))
                    return first;
        return std::nullopt;
    }
    const bool sideways = key == Qt::Key_Left || key == Qt::Key_Right;
    const std::ptrdiff_t step = key == Qt::Key_Left || key == Qt::Key_Up ? -1 : 1;
    if (sideways) {
        const auto count = static_cast<std::ptrdiff_t>(lines_[ringed_.point->line].x->size());
        for (auto point = static_cast<std::ptrdiff_t>(ringed_.point->point) + step; point >= 0 && point < count;
             point += step)
            if (const Cursor at{ringed_.point->line, static_cast<std::size_t>(point)}; isThere(at))
                return at;
        return ringed_.point;
    }
    const auto count = static_cast<std::ptrdiff_t>(lines_.size());
    for (auto line = static_cast<std::ptrdiff_t>(ringed_.point->line) + step; line >= 0 && line < count; line += step) {
        const auto other = static_cast<std::size_t>(line);
        if (!shown_[other] || !firstOn(other))
            continue;
        const Cursor same{other, std::min(ringed_.point->point, lines_[other].x->size() - 1)};
        return isThere(same) ? same : firstOn(other);
    }
    return ringed_.point;
}

std::optional<std::size_t> CurveChart::markUnder(QPoint point) const {
    std::optional<std::size_t> best;
    double least = kOnMark;
    for (std::size_t i = marks_.size(); i-- > 0;) { // of two at one place the last one lies above
        if (!isDrawn(marks_[i]))
            continue;
        if (marks_[i].shape == ChartMark::Shape::Upright) {
            if (labelOf(marks_[i]).contains(QPointF(point)))
                return i;
            continue;
        }
        const QPointF off = frame_->toWidget(marks_[i].at) - QPointF(point);
        if (const double distance = std::hypot(off.x(), off.y()); distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

CurveChart::Ringed CurveChart::under(QPoint point) const {
    const auto mark = markUnder(point);
    return mark ? Ringed{{}, mark} : Ringed{nearest(point), {}};
}

/// The next mark that is drawn, from the ringed one on.
std::optional<std::size_t> CurveChart::nextMark(int step) const {
    const auto count = static_cast<std::ptrdiff_t>(marks_.size());
    auto at = ringed_.mark ? static_cast<std::ptrdiff_t>(*ringed_.mark) : (step > 0 ? -1 : count);
    for (at += step; at >= 0 && at < count; at += step)
        if (isDrawn(marks_[static_cast<std::size_t>(at)]))
            return static_cast<std::size_t>(at);
    return ringed_.mark;
}

bool CurveChart::isDrawn(const ChartMark& mark) const {
    return !mark.line || shown_[*mark.line];
}

QPoint CurveChart::positionOf(const ChartMark& mark) const {
    return frame_->toWidget(mark.at).toPoint();
}

void CurveChart::ring(Ringed what) {
    if (what == ringed_)
        return;
    ringed_ = what;
    setAccessibleDescription(readOut());
    frame_->refresh();
}

/// Where the keys have gone, the part of the chart that is shown follows.
void CurveChart::ringAndShow(Ringed what) {
    ring(what);
    if (what.point)
        frame_->reveal(valueAt(*what.point));
    else if (what.mark && marks_[*what.mark].shape != ChartMark::Shape::Upright)
        frame_->reveal(marks_[*what.mark].at);
}

void CurveChart::choose() {
    if (ringed_.point)
        emit lineChosen(ringed_.point->line);
    else if (ringed_.mark && marks_[*ringed_.mark].model)
        emit modelChosen(*marks_[*ringed_.mark].model);
}

void CurveChart::keyPressEvent(QKeyEvent* event) {
    if (frame_->navigate(*event))
        return;
    const int key = event->key();
    const bool arrow = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
    const bool page = key == Qt::Key_PageUp || key == Qt::Key_PageDown;
    if (arrow && !lines_.empty())
        ringAndShow({moved(key), {}});
    else if (page && !marks_.empty())
        ringAndShow({{}, nextMark(key == Qt::Key_PageDown ? 1 : -1)});
    else if ((key == Qt::Key_Return || key == Qt::Key_Enter) && ringed_ != Ringed{})
        choose();
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

QString CurveChart::readOutAlong(const ChartLine& line, std::size_t point) const {
    const double value = (*line.along)[point];
    const bool share = axes_.alongUnit == Unit::Share;
    return tr("%1: %2").arg(axes_.alongTitle, share ? formatPercent(value) : formatWithUnit(value, axes_.alongUnit));
}

QString CurveChart::readOut() const {
    if (ringed_.mark)
        return marks_[*ringed_.mark].facts;
    if (!ringed_.point)
        return {};
    const Cursor cursor = *ringed_.point;
    const ChartLine& line = lines_[cursor.line];
    const QPointF value = valueAt(cursor);
    QString y = formatWithUnit(value.y(), line.unit);
    if (line.line->low.size() == line.line->y.size() && line.line->high.size() == line.line->y.size())
        y = tr("%1 [%2, %3]")
                .arg(y, formatValue(line.line->low[cursor.point], line.unit),
                     formatValue(line.line->high[cursor.point], line.unit));
    QString text =
        tr("%1\n%2: %3\n%4: %5").arg(line.name, axes_.xTitle, formatWithUnit(value.x(), axes_.xUnit), axes_.yTitle, y);
    if (line.along)
        text += QLatin1Char('\n') + readOutAlong(line, cursor.point);
    return text;
}

} // namespace assay
