// What a Plot has under the mouse and the keys, and how they choose.
#include "widgets/charts/plot.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

namespace assay {
namespace {

constexpr double kMarkReach = 12.0;  // pixels from the mouse to a mark
constexpr double kLineReach = 24.0;  // to a line
constexpr double kBesideBars = 12.0; // pixels beside the plot where a brush may begin

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

bool extends(Qt::KeyboardModifiers modifiers) {
    return (modifiers & Qt::ShiftModifier) && !(modifiers & Qt::ControlModifier);
}

} // namespace

bool Plot::isThere(PlotPoint point) const {
    if (point.series >= content_.series.size() || point.point >= seriesOf(point).count())
        return false;
    const QPointF value = valueOf(point);
    return std::isfinite(value.x()) && std::isfinite(value.y());
}

bool Plot::isChoosable(PlotPoint point) const {
    return isThere(point) && seriesOf(point).pick >= PlotSeries::Pick::Points;
}

QPointF Plot::valueOf(PlotPoint point) const {
    const PlotSeries& series = seriesOf(point);
    if (series.bars.empty())
        return series.points[point.point];
    const PlotBar& bar = series.bars[point.point];
    return {(bar.from + bar.to) / 2.0, 0.0};
}

QRect Plot::columnOf(PlotPoint at) const {
    const PlotBar& bar = seriesOf(at).bars[at.point];
    const QRect plot = plotArea().toRect();
    const int left = static_cast<int>(std::lround(toWidget({bar.from, 0.0}).x()));
    const int right = static_cast<int>(std::lround(toWidget({bar.to, 0.0}).x()));
    return {left, plot.top(), std::max(1, right - left), plot.height()};
}

std::optional<PlotPoint> Plot::pointWithId(std::size_t id) const {
    std::optional<PlotPoint> found;
    visitPoints([&](PlotPoint at) {
        if (!found && seriesOf(at).pick != PlotSeries::Pick::Nothing && idOf(at) == id)
            found = at;
    });
    return found;
}

std::vector<PlotPoint> Plot::stackOf(PlotPoint point) const {
    std::vector<PlotPoint> stack;
    visitPoints([&](PlotPoint other) {
        if (isChoosable(other) && QLineF(positionOf(point), positionOf(other)).length() < markSize(point) / 2)
            stack.push_back(other);
    });
    std::ranges::sort(stack, {}, [this](PlotPoint at) { return idOf(at); });
    return stack;
}

PlotPoint Plot::nextOfStack(PlotPoint point) const {
    const std::vector<PlotPoint> stack = stackOf(point);
    const auto current = std::ranges::find_if(stack, [this](PlotPoint at) { return isCurrent(at); });
    if (current == stack.end())
        return point;
    return current + 1 == stack.end() ? stack.front() : *(current + 1);
}

std::optional<std::pair<std::size_t, std::size_t>> Plot::barsInHand() const {
    if (anchor_ && cursor_) {
        const auto [first, last] = std::minmax(anchor_->point, cursor_->point);
        if (!hovered_ || (hovered_->point >= first && hovered_->point <= last))
            return std::pair(first, last);
    }
    return hovered_ ? std::optional(std::pair(hovered_->point, hovered_->point)) : std::nullopt;
}

QString Plot::readOut() const {
    return isBeside() && cursor_ && content_.describe ? content_.describe(*cursor_) : QString();
}

/// Of the indices of all series, those drawn above others first: they win where lines meet.
std::vector<std::size_t> Plot::topFirst() const {
    std::vector<std::size_t> order(content_.series.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(), [this](std::size_t at) { return content_.series[at].isAbove; });
    return order;
}

std::optional<PlotPoint> Plot::markUnder(QPointF point) const {
    std::optional<PlotPoint> nearest;
    double least = kMarkReach;
    visitPoints([&](PlotPoint at) {
        const PlotSeries& series = seriesOf(at);
        if (series.pick != PlotSeries::Pick::Points && series.pick != PlotSeries::Pick::Described)
            return;
        const double distance = QLineF(positionOf(at), point).length();
        if (series.isUpright ? uprightLabel(at).contains(point) : distance <= least && isInPart(valueOf(at))) {
            least = series.isUpright ? 0.0 : distance;
            nearest = at; // of two at one place the last one lies above
        }
    });
    if (!nearest)
        for (const auto& [at, name] : nameRects_)
            if (const PlotPoint named{at.first, at.second};
                name.contains(point) && isChoosable(named) && seriesOf(named).pick == PlotSeries::Pick::Points)
                nearest = named;
    return nearest;
}

std::optional<PlotPoint> Plot::lineUnder(QPointF point) const {
    std::optional<PlotPoint> best;
    double least = kLineReach;
    for (const std::size_t series : topFirst()) {
        if (content_.series[series].pick != PlotSeries::Pick::Line)
            continue;
        for (std::size_t i = 0; i < content_.series[series].points.size(); ++i) {
            if (!isThere({series, i}))
                continue;
            const std::size_t next = isThere({series, i + 1}) ? i + 1 : i;
            const OnSegment on = nearestOn(positionOf({series, i}), positionOf({series, next}), point);
            const PlotPoint end{series, on.along < 0.5 ? i : next};
            if (on.distance >= least || !isInPart(valueOf(end)))
                continue;
            least = on.distance;
            best = end;
        }
    }
    return best;
}

std::optional<PlotPoint> Plot::barUnder(QPointF point) const {
    if (!plotArea().adjusted(-kBesideBars, -kBesideBars, kBesideBars, kBesideBars).contains(point))
        return std::nullopt;
    const double x = toValue({point.x() + 0.5, 0.0}).x();
    std::optional<PlotPoint> nearest;
    double least = std::numeric_limits<double>::infinity();
    visitPoints([&](PlotPoint at) {
        if (seriesOf(at).bars.empty())
            return;
        const PlotBar& bar = seriesOf(at).bars[at.point];
        const double distance = std::max({bar.from - x, x - bar.to, 0.0});
        if (distance <= least) { // a bar holds its lower end
            least = distance;
            nearest = at;
        }
    });
    return nearest;
}

std::optional<PlotPoint> Plot::pointUnder(QPointF point) const {
    if (const auto mark = markUnder(point))
        return mark;
    if (const auto line = lineUnder(point))
        return line;
    return barUnder(point);
}

bool Plot::isLine(std::size_t series) const {
    const PlotSeries& one = content_.series[series];
    return one.line.style() != Qt::NoPen && one.pick >= PlotSeries::Pick::Points && !one.isUpright;
}

std::optional<PlotPoint> Plot::firstOf(std::size_t series) const {
    for (std::size_t point = 0; point < content_.series[series].count(); ++point)
        if (isThere({series, point}))
            return PlotPoint{series, point};
    return std::nullopt;
}

/// The point that a key leads to; nothing where it is no such key, or there is nothing to walk to.
std::optional<PlotPoint> Plot::walked(int key) const {
    const bool isPage = key == Qt::Key_PageUp || key == Qt::Key_PageDown;
    const bool isUpright = key == Qt::Key_Up || key == Qt::Key_Down;
    const bool isSideways = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Home || key == Qt::Key_End;
    const std::vector<std::size_t> order = topFirst();
    const auto isWalked = [this](std::size_t series) { return isLine(series) && firstOf(series); };
    const auto line = std::ranges::find_if(order, isWalked);
    if (line == order.end())
        return isSideways ? throughMarks(key) : std::nullopt;
    if (isPage)
        return throughMarksBesideLines(key == Qt::Key_PageDown ? 1 : -1);
    if (!isSideways && !isUpright)
        return std::nullopt;
    const auto from = content_.current ? pointWithId(*content_.current) : cursor_;
    if (from && isLine(from->series))
        return alongLine(*from, key);
    if (content_.current && key == Qt::Key_Left) // the other end is the nearer one
        return alongLine({*line, content_.series[*line].count()}, key);
    return firstOf(*line);
}

std::optional<PlotPoint> Plot::alongLine(PlotPoint from, int key) const {
    const auto count = static_cast<std::ptrdiff_t>(content_.series[from.series].points.size());
    const auto scan = [&](std::ptrdiff_t at, std::ptrdiff_t step) -> std::optional<PlotPoint> {
        for (; at >= 0 && at < count; at += step)
            if (const PlotPoint to{from.series, static_cast<std::size_t>(at)}; isThere(to))
                return to;
        return from;
    };
    const auto here = static_cast<std::ptrdiff_t>(from.point);
    switch (key) {
    case Qt::Key_Left:
        return scan(here - 1, -1);
    case Qt::Key_Right:
        return scan(here + 1, 1);
    case Qt::Key_Home:
        return scan(0, 1);
    case Qt::Key_End:
        return scan(count - 1, -1);
    default:
        break;
    }
    const std::ptrdiff_t step = key == Qt::Key_Up ? -1 : 1;
    for (auto line = static_cast<std::ptrdiff_t>(from.series) + step;
         line >= 0 && line < static_cast<std::ptrdiff_t>(content_.series.size()); line += step) {
        const auto other = static_cast<std::size_t>(line);
        if (!isLine(other) || !firstOf(other))
            continue;
        const PlotPoint same{other, std::min(from.point, content_.series[other].points.size() - 1)};
        return isThere(same) ? same : firstOf(other);
    }
    return from;
}

/// Marks and bars from left to right.
std::optional<PlotPoint> Plot::throughMarks(int key) const {
    std::vector<PlotPoint> order;
    visitPoints([&](PlotPoint at) {
        if (isChoosable(at))
            order.push_back(at);
    });
    if (order.empty())
        return std::nullopt;
    std::ranges::stable_sort(order, {}, [this](PlotPoint at) { return valueOf(at).x(); });
    const auto from = content_.current ? pointWithId(*content_.current) : cursor_;
    const auto at = from ? std::ranges::find(order, *from) : order.end();
    if (key == Qt::Key_Home || (key == Qt::Key_Right && at == order.end()))
        return order.front();
    if (key == Qt::Key_End || at == order.end())
        return order.back();
    if (key == Qt::Key_Left)
        return at == order.begin() ? *at : *(at - 1);
    return at + 1 == order.end() ? *at : *(at + 1);
}

std::optional<PlotPoint> Plot::throughMarksBesideLines(int step) const {
    std::vector<PlotPoint> order;
    visitPoints([&](PlotPoint at) {
        if (isChoosable(at) && !isLine(at.series))
            order.push_back(at);
    });
    const auto at = cursor_ ? std::ranges::find(order, *cursor_) : order.end();
    if (order.empty() || at == order.end())
        return order.empty() ? std::nullopt : std::optional(step > 0 ? order.front() : order.back());
    const auto to = std::distance(order.begin(), at) + step;
    return order[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(to, 0, std::ssize(order) - 1))];
}

void Plot::forgetCursor() {
    hovered_.reset();
    anchor_.reset();
    brushed_.reset();
    setCursorPoint(std::nullopt);
}

void Plot::setCursorPoint(std::optional<PlotPoint> point) {
    cursor_ = point;
    static const QString kBreak = QStringLiteral("<br>");
    QString text = point && content_.describe ? content_.describe(*point) : QString();
    if (!isBeside())
        text.replace(kBreak, QStringLiteral(". ")).remove(QStringLiteral("<b>")).remove(QStringLiteral("</b>"));
    setAccessibleDescription(text);
    refresh();
}

void Plot::hover(std::optional<PlotPoint> point) {
    if (isBeside() && point != cursor_)
        setCursorPoint(point);
    if (point == hovered_)
        return;
    hovered_ = point;
    const bool isHand = content_.current && point && isChoosable(*point);
    setCursor(isHand ? Qt::PointingHandCursor : Qt::ArrowCursor);
    emit hovered(point);
    refresh();
}

void Plot::choose(PlotPoint point, Qt::KeyboardModifiers modifiers) {
    const bool isRange = content_.isBrushed && extends(modifiers) && anchor_;
    if (!isRange)
        anchor_ = point;
    setCursorPoint(point);
    emit chosen({*anchor_, point, modifiers, !isRange});
}

void Plot::keyPressEvent(QKeyEvent* event) {
    if (!x_ || (content_.series.empty() && !content_.message.isEmpty())) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (navigate(*event))
        return;
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && cursor_) {
        anchor_ = cursor_;
        if (isChoosable(*cursor_))
            emit chosen({*cursor_, *cursor_, event->modifiers()});
        return;
    }
    const auto to = walked(event->key());
    if (!to) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (content_.current) {
        if (!isCurrent(*to))
            emit chosen({*to, *to, {}});
        reveal(valueOf(*to));
        return;
    }
    const std::optional<PlotPoint> before = anchor_;
    setCursorPoint(to);
    if (!seriesOf(*to).isUpright)
        reveal(valueOf(*to));
    if (content_.isBrushed && extends(event->modifiers())) {
        anchor_ = before.value_or(*to);
        emit chosen({*anchor_, *to, event->modifiers(), false});
    }
}

void Plot::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    refresh();
}

void Plot::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    refresh();
}

void Plot::mousePressEvent(QMouseEvent* event) {
    if (isDrag(event, Qt::MiddleButton) || event->button() != Qt::LeftButton)
        return;
    setFocus(Qt::MouseFocusReason);
    const auto bar = barUnder(event->position());
    if (!bar) {
        isDrag(event, Qt::LeftButton);
        return;
    }
    brushed_ = bar;
    brushedWith_ = event->modifiers();
    choose(*bar, event->modifiers());
}

void Plot::mouseMoveEvent(QMouseEvent* event) {
    if (isDrag(event, Qt::MiddleButton) || (!brushed_ && isDrag(event, Qt::LeftButton)))
        return;
    QPointF at = event->position();
    if (brushed_ && (event->buttons() & Qt::LeftButton)) {
        const QRectF plot = plotArea(); // a drag may leave the plot
        at = {std::clamp(at.x(), plot.left(), plot.right()), std::clamp(at.y(), plot.top(), plot.bottom())};
        const auto bar = barUnder(at);
        if (content_.isBrushed && bar && bar != brushed_) {
            brushed_ = bar;
            setCursorPoint(bar);
            emit chosen({*anchor_, *bar, brushedWith_, false});
        }
    }
    hover(pointUnder(at));
}

void Plot::mouseReleaseEvent(QMouseEvent* event) {
    brushed_.reset();
    if (isDrag(event, Qt::MiddleButton) || event->button() != Qt::LeftButton)
        return;
    const bool isClick = pressed_.has_value();
    if (isDrag(event, Qt::LeftButton) || !isClick)
        return;
    auto point = pointUnder(event->position());
    hover(point);
    if (!point || !isChoosable(*point))
        return;
    if (content_.countsStacks)
        point = nextOfStack(*point);
    choose(*point, event->modifiers());
}

void Plot::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    hover(std::nullopt);
}

bool Plot::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QString text = axisToolTipAt(help->pos());
    if (const auto point = pointUnder(help->pos()); text.isEmpty() && point && content_.describe && !isBeside())
        text = content_.describe(*point);
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, this);
    return true;
}

} // namespace assay
