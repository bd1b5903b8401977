// What a Plot paints below and above the series of Qt Charts.
#include "widgets/charts/label_place.h"
#include "widgets/charts/mark_paint.h"
#include "widgets/charts/plot.h"
#include "widgets/common/colors.h"
#include "widgets/common/elided_name.h"
#include "widgets/common/number_format.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace assay {
namespace {

constexpr double kRing = 18.0;      // diameter, around marks of up to 10
constexpr double kWhiskerEnd = 3.0; // half the width of an interval's end
constexpr double kLongestName = 160.0;
constexpr int kMinHeight = 2; // pixels of a bar: a single sample among thousands must be seen
constexpr double kVeil = 0.8; // behind text: lines must not cross the letters

using PointKey = std::pair<std::size_t, std::size_t>;

QColor faded(QColor color, double alpha) {
    color.setAlphaF(static_cast<float>(alpha));
    return color;
}

} // namespace

void Plot::paintBelow(QPainter& painter) const {
    const bool hasBars = std::ranges::any_of(content_.series, [](const PlotSeries& one) { return !one.bars.empty(); });
    if (!hasBars)
        return;
    painter.setRenderHint(QPainter::Antialiasing, false); // bars end on whole pixels
    painter.setClipRect(plotArea().adjusted(-1, -1, 1, 1));
    visitPoints([&](PlotPoint at) {
        if (!seriesOf(at).bars.empty())
            paintBar(painter, at);
    });
}

void Plot::paintBar(QPainter& painter, PlotPoint at) const {
    const PlotSeries& series = seriesOf(at);
    const PlotBar& shown = series.bars[at.point];
    const QRect column = columnOf(at);
    const int gap = series.barsApart ? std::max(1, column.width() / 10) : (column.width() > 6 ? 1 : 0);
    QRect bar = column.adjusted(series.barsApart ? gap : 0, 0, -gap, 0);
    if (bar.width() < 1)
        bar = column;
    if (hovered_ == at)
        painter.fillRect(column, palette().color(QPalette::AlternateBase));
    const double top = toWidget({shown.from, shown.height}).y();
    const int full =
        shown.height > 0.0 ? std::max(kMinHeight, static_cast<int>(std::lround(plotArea().bottom() - top))) : 0;
    const auto part = [full](double share) { return static_cast<int>(std::lround(full * share)); };
    const auto slice = [&](int from, int tall) {
        return QRect(bar.left(), bar.bottom() + 1 - from - tall, bar.width(), tall);
    };
    painter.fillRect(slice(0, full - part(shown.faded)), series.mark.fill);
    painter.fillRect(slice(full - part(shown.faded), part(shown.faded)), colors::rejected(palette()));
    if (shown.selected > 0.0) {
        const QRect share = slice(0, std::max(3, part(shown.selected)));
        painter.fillRect(share, faded(colors::selected(palette()), 0.35));
        painter.setPen(QPen(colors::selected(palette()), 2));
        painter.drawRect(share.adjusted(1, 1, -1, -1));
        painter.setPen(QPen(palette().color(QPalette::WindowText), 1)); // yellow alone is weak on orange
        painter.drawRect(share.adjusted(-1, -1, 0, 0));
    }
}

void Plot::paintAbove(QPainter& painter) {
    nameRects_.clear();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font());
    const QRectF plot = plotArea();
    if (!isWhole()) // marks of what is not in the part that is shown must not lie on the numbers
        painter.setClipRect(plot);
    for (const PlotSeries& series : content_.series)
        if (series.hasArrows)
            paintArrows(painter, series);
    for (std::size_t series = 0; series < content_.series.size(); ++series)
        paintIntervals(painter, series);
    visitPoints([&](PlotPoint at) {
        const PlotSeries& series = seriesOf(at);
        if (series.isUpright)
            paintUpright(painter, at);
        else if (series.mark.shape == MarkShape::TriangleDown || series.mark.shape == MarkShape::Plus)
            paintMark(painter, series.mark, positionOf(at));
        if (series.hasGuides)
            paintGuides(painter, positionOf(at), colorOf(at));
    });
    paintRings(painter);
    paintNames(painter);
    paintCursor(painter);
    paintReadOut(painter);
    painter.setPen(colors::mutedText(palette()));
    painter.drawText(plot, Qt::AlignCenter | Qt::TextWordWrap, content_.message);
    if (pointedAt_) {
        const QPointF at(std::round(toWidget({*pointedAt_, 0.0}).x()), plot.top());
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette().color(QPalette::WindowText));
        painter.drawPolygon(QPolygonF({at - QPointF(5, 0), at + QPointF(5, 0), at + QPointF(0, 7)}));
    }
}

double Plot::markSize(PlotPoint at) const {
    const MarkStyle& mark = seriesOf(at).mark;
    return mark.shape == MarkShape::None ? MarkStyle().size : mark.size;
}

QRectF Plot::markRect(PlotPoint at) const {
    const double size = isCurrent(at) ? kRing + 2.0 : markSize(at);
    return {positionOf(at) - QPointF(size, size) / 2.0, QSizeF(size, size)};
}

QColor Plot::colorOf(PlotPoint at) const {
    const PlotSeries& series = seriesOf(at);
    return series.line.style() == Qt::NoPen ? series.mark.fill : series.line.color();
}

void Plot::paintArrows(QPainter& painter, const PlotSeries& series) const {
    constexpr double kHead = 6.0;
    painter.setPen(Qt::NoPen);
    painter.setBrush(series.line.color());
    for (std::size_t to = 1; to < series.points.size(); ++to) {
        const QLineF line(toWidget(series.points[to - 1]), toWidget(series.points[to]));
        if (!(line.length() >= MarkStyle().size + 2 * kHead))
            continue; // the marks would cover an arrow
        const QLineF along = line.unitVector();
        const QPointF step(along.dx(), along.dy());
        const QPointF side(-step.y(), step.x());
        const QPointF tip = line.pointAt(0.5) + step * (kHead / 2);
        painter.drawPolygon(
            QPolygonF({tip, tip - step * kHead + side * (kHead / 2), tip - step * kHead - side * (kHead / 2)}));
    }
}

QLineF Plot::intervalLine(PlotPoint at, Qt::Orientation along) const {
    const PlotSeries& series = seriesOf(at);
    const std::vector<PlotInterval>& intervals = along == Qt::Horizontal ? series.across : series.upwards;
    if (intervals.empty() || !std::isfinite(intervals[at.point].low) || !std::isfinite(intervals[at.point].high))
        return {};
    const PlotInterval& interval = intervals[at.point];
    const QPointF value = valueOf(at);
    return along == Qt::Horizontal ? QLineF(toWidget({interval.low, value.y()}), toWidget({interval.high, value.y()}))
                                   : QLineF(toWidget({value.x(), interval.low}), toWidget({value.x(), interval.high}));
}

/// Crosses: those of the current point are stronger.
void Plot::paintIntervals(QPainter& painter, std::size_t series) const {
    if (content_.series[series].band.isValid())
        return;
    for (std::size_t point = 0; point < content_.series[series].points.size(); ++point) {
        const PlotPoint at{series, point};
        if (!isThere(at))
            continue;
        painter.setPen(QPen(faded(colorOf(at), isCurrent(at) || !content_.current ? 0.9 : 0.7), 1.5));
        for (const Qt::Orientation along : {Qt::Horizontal, Qt::Vertical}) {
            const QLineF line = intervalLine(at, along);
            if (line.isNull())
                continue;
            painter.drawLine(line);
            const QPointF cap = along == Qt::Horizontal ? QPointF(0, kWhiskerEnd) : QPointF(kWhiskerEnd, 0);
            for (const QPointF end : {line.p1(), line.p2()})
                painter.drawLine(end - cap, end + cap);
        }
    }
}

QRectF Plot::uprightLabel(PlotPoint at) const {
    const QFontMetricsF metrics(font());
    const QRectF plot = plotArea();
    const double x = positionOf(at).x();
    QRectF box(x + 3, plot.top() + 1,
               metrics.horizontalAdvance(seriesOf(at).names[static_cast<qsizetype>(at.point)]) + 6, metrics.height());
    if (box.right() > plot.right())
        box.moveRight(x - 3);
    return box;
}

void Plot::paintUpright(QPainter& painter, PlotPoint at) const {
    const QRectF plot = plotArea();
    const double x = positionOf(at).x();
    painter.setPen(seriesOf(at).line);
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    const QRectF label = uprightLabel(at);
    painter.fillRect(label, faded(palette().color(QPalette::Base), kVeil));
    painter.drawText(label, Qt::AlignCenter, seriesOf(at).names[static_cast<qsizetype>(at.point)]);
}

/// From a point to both axes.
void Plot::paintGuides(QPainter& painter, QPointF at, const QColor& color) const {
    const QRectF plot = plotArea();
    painter.setPen(QPen(color, 1.0, Qt::DotLine));
    painter.drawLine(QPointF(plot.left(), at.y()), at);
    painter.drawLine(at, QPointF(at.x(), plot.bottom()));
}

void Plot::paintRings(QPainter& painter) const {
    const auto ring = [&](PlotPoint at, const QPen& pen, double size) {
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(positionOf(at), size / 2.0, size / 2.0);
    };
    visitPoints([&](PlotPoint at) {
        const PlotSeries& series = seriesOf(at);
        if (!series.bars.empty() || series.pick < PlotSeries::Pick::Points)
            return;
        if (!series.selected.empty() && series.selected[at.point]) {
            ring(at, QPen(palette().color(QPalette::WindowText), 3.5), 2 * series.mark.size);
            ring(at, QPen(colors::selected(palette()), 2.0), 2 * series.mark.size);
        }
        if (isCurrent(at))
            ring(at, QPen(palette().color(QPalette::WindowText), hasFocus() ? 2.5 : 1.5), kRing);
        else if (hovered_ == at && !isBeside())
            ring(at, QPen(colors::mutedText(palette()), 1.5), std::max(kRing, 2 * series.mark.size));
    });
}

/// The dotted frame of the keyboard's point; around the whole plot where the keys have not chosen one yet.
void Plot::paintCursor(QPainter& painter) const {
    if (!hasFocus() || isBeside() || content_.current) {
        if (hasFocus() && isBeside() && !cursor_) {
            painter.setPen(QPen(palette().color(QPalette::Highlight), 1.0));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(plotArea());
        }
        return;
    }
    QRectF frame = plotArea().toRect().adjusted(0, 0, -1, -1);
    if (cursor_ && !seriesOf(*cursor_).bars.empty())
        frame = columnOf(*cursor_).adjusted(0, 0, -1, -1);
    else if (cursor_)
        frame = QRectF(positionOf(*cursor_) - QPointF(9, 9), QSizeF(18, 18));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(frame);
    painter.setRenderHint(QPainter::Antialiasing);
}

/// Paints readOut() in a box beside its point.
void Plot::paintReadOut(QPainter& painter) const {
    if (readOut().isEmpty())
        return;
    const bool isUpright = seriesOf(*cursor_).isUpright;
    const QPointF at = isUpright ? uprightLabel(*cursor_).center() : positionOf(*cursor_);
    if (!isUpright) {
        paintGuides(painter, at, colors::mutedText(palette()));
        painter.setPen(QPen(colorOf(*cursor_), 2.0));
        painter.setBrush(Qt::NoBrush);
        const double radius = std::max(10.0, markSize(*cursor_) + 4.0) / 2.0;
        painter.drawEllipse(at, radius, radius);
    }
    const QRectF plot = plotArea();
    const QFontMetricsF metrics(font());
    QStringList facts = readOut().split(QLatin1Char('\n'));
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

/// All pieces of lines, which names keep off.
std::vector<QLineF> Plot::linePieces() const {
    std::vector<QLineF> pieces;
    for (const PlotSeries& series : content_.series)
        for (std::size_t to = 1; series.line.style() != Qt::NoPen && to < series.points.size(); ++to)
            if (const QLineF piece(toWidget(series.points[to - 1]), toWidget(series.points[to]));
                std::isfinite(piece.length()))
                pieces.push_back(piece);
    return pieces;
}

void Plot::paintNames(QPainter& painter) {
    std::vector<QRectF> taken;
    std::vector<PlotPoint> named;
    visitPoints([&](PlotPoint at) {
        const PlotSeries& series = seriesOf(at);
        if (series.isUpright || !series.bars.empty())
            return;
        if (series.mark.shape != MarkShape::None && series.line.style() == Qt::NoPen)
            taken.push_back(markRect(at));
        if (!series.names.isEmpty() && !series.names[static_cast<qsizetype>(at.point)].isEmpty())
            named.push_back(at);
    });
    paintCounts(painter, taken);
    if (named.empty())
        return;
    std::stable_partition(named.begin(), named.end(),
                          [this](PlotPoint at) { return isCurrent(at); }); // gets the best place
    const std::vector<QLineF> lines = linePieces();
    for (const PlotPoint at : named)
        paintName(painter, at, lines, taken);
}

void Plot::paintName(QPainter& painter, PlotPoint at, const std::vector<QLineF>& lines, std::vector<QRectF>& taken) {
    QFont font = this->font();
    font.setBold(isCurrent(at));
    const QFontMetricsF metrics(font);
    QStringList names;
    for (const PlotSeries& series : content_.series)
        names << series.names;
    const double room = std::min(kLongestName, 0.6 * plotArea().width());
    const QString name = elidedName(seriesOf(at).names[static_cast<qsizetype>(at.point)], names, metrics, room);
    const QPointF mark = positionOf(at);
    const double off = isCurrent(at) ? kRing / 2.0 : markSize(at) / 2.0;
    const QRectF box =
        clearPlace(mark, {metrics.horizontalAdvance(name) + 4, metrics.height()}, off, plotArea(), lines, taken);
    if (std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(box); }))
        return; // no room: its description still names it
    taken.push_back(box);
    nameRects_[{at.series, at.point}] = box;
    if (QLineF(mark, {std::clamp(mark.x(), box.left(), box.right()), std::clamp(mark.y(), box.top(), box.bottom())})
            .length() > kRing) {
        painter.setPen(QPen(colors::mutedText(palette()), 1.0));
        painter.drawLine(mark, QPointF(std::clamp(mark.x(), box.left(), box.right()),
                                       std::clamp(mark.y(), box.top(), box.bottom())));
    }
    painter.fillRect(box, faded(palette().color(QPalette::Base), kVeil));
    painter.setFont(font);
    const bool isMuted = seriesOf(at).pick == PlotSeries::Pick::Line;
    painter.setPen(isMuted ? colors::mutedText(palette()) : palette().color(QPalette::WindowText));
    painter.drawText(box, Qt::AlignCenter, name);
    painter.setFont(this->font());
}

QRectF Plot::nameRect(PlotPoint at) const {
    const auto found = nameRects_.find({at.series, at.point});
    return found == nameRects_.end() ? QRectF() : found->second;
}

QFont Plot::countFont() const {
    QFont font = this->font();
    font.setBold(true);
    font.setPointSizeF(0.8 * font.pointSizeF());
    return font;
}

/// The counts of marks that cover each other: at the corner of the mark where each hides the least.
std::map<PointKey, QRectF> Plot::countRects() const {
    std::map<PointKey, QRectF> counts;
    const QFontMetricsF metrics(countFont());
    visitPoints([&](PlotPoint at) {
        if (!content_.countsStacks || !isChoosable(at))
            return;
        const std::vector<PlotPoint> stack = stackOf(at);
        if (stack.size() < 2 || stack.front() != at)
            return;
        const QSizeF size(metrics.horizontalAdvance(formatCount(stack.size())) + 6, metrics.height());
        const double beside = markSize(at) / 2 - 2;
        const QPointF mark = positionOf(at);
        const std::array places{QRectF(mark + QPointF(beside, beside), size),
                                QRectF(mark + QPointF(beside, -beside - size.height()), size),
                                QRectF(mark + QPointF(-beside - size.width(), beside), size),
                                QRectF(mark + QPointF(-beside - size.width(), -beside - size.height()), size)};
        const auto hidden = [&](const QRectF& place) {
            std::ptrdiff_t found = QRectF(rect()).contains(place) ? 0 : 1000;
            for (const auto& [other, count] : counts)
                found += place.intersects(count) ? 1 : 0;
            visitPoints([&](PlotPoint other) {
                if (isChoosable(other) && std::ranges::find(stack, other) == stack.end())
                    found += place.intersects(markRect(other)) ? 1 : 0;
            });
            return found;
        };
        counts[{at.series, at.point}] = *std::ranges::min_element(places, {}, hidden);
    });
    return counts;
}

QRectF Plot::countRect(PlotPoint point) const {
    const auto counts = countRects();
    const auto found = counts.find({point.series, point.point});
    return found == counts.end() ? QRectF() : found->second;
}

void Plot::paintCounts(QPainter& painter, std::vector<QRectF>& taken) const {
    for (const auto& [at, box] : countRects()) {
        taken.push_back(box);
        painter.setFont(countFont());
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette().color(QPalette::WindowText));
        painter.drawRoundedRect(box, 4, 4);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(palette().color(QPalette::Base));
        painter.drawText(box, Qt::AlignCenter, formatCount(stackOf({at.first, at.second}).size()));
        painter.setFont(font());
    }
}

} // namespace assay
