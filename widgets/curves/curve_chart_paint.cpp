// Painting of CurveChart over its lines.
#include "widgets/charts/chart_frame.h"
#include "widgets/charts/label_place.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/curves/curve_chart.h"
#include "widgets/curves/line_style.h"

#include <QPainter>

#include <algorithm>

namespace assay {
namespace {

constexpr double kRing = 5.0; // radii
constexpr double kMark = 4.0;
constexpr double kCurrentMark = 5.0;

/// A circle, or for what is no point of a line a triangle that points away from it.
void paintShape(QPainter& painter, ChartMark::Shape shape, QPointF at, double radius) {
    if (shape != ChartMark::Shape::Above && shape != ChartMark::Shape::Below) {
        painter.drawEllipse(at, radius, radius);
        return;
    }
    const double up = shape == ChartMark::Shape::Above ? -1.4 * radius : 1.4 * radius;
    painter.drawPolygon(QPolygonF(
        {at + QPointF(0.0, up), at + QPointF(1.3 * radius, -0.7 * up), at + QPointF(-1.3 * radius, -0.7 * up)}));
}

} // namespace

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
    paintMarks(painter);
    paintCursor(painter);
}

/// A lone point between gaps would not be seen at all without one.
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
            if (isThere({i, point}) && (style.marked || alone))
                paintMarker(painter, style, frame_->toWidget(valueAt({i, point})), background);
        }
    }
}

/// The pieces of all lines that are drawn, in this widget's coordinates.
std::vector<QLineF> CurveChart::segments() const {
    std::vector<QLineF> pieces;
    for (std::size_t line = 0; line < lines_.size(); ++line)
        for (std::size_t point = 1; shown_[line] && point < lines_[line].x->size(); ++point)
            if (isThere({line, point - 1}) && isThere({line, point}))
                pieces.emplace_back(frame_->toWidget(valueAt({line, point - 1})),
                                    frame_->toWidget(valueAt({line, point})));
    return pieces;
}

/// Which way a line runs that is not drawn from left to right: its first and last point by their value.
std::vector<CurveChart::EndLabel> CurveChart::endLabels() const {
    const QFontMetricsF metrics(font());
    const std::vector<QLineF> drawn = segments();
    std::vector<EndLabel> labels;
    std::vector<QPoint> named; // lines often begin at one point
    std::vector<QRectF> taken;
    for (std::size_t line = 0; line < lines_.size(); ++line) {
        if (!shown_[line] || !lines_[line].along)
            continue;
        for (const std::size_t point : {std::size_t{0}, lines_[line].along->size() - 1}) {
            if (!isThere({line, point}) || std::ranges::count(named, positionOf(line, point)) > 0)
                continue;
            named.push_back(positionOf(line, point));
            const QString text = readOutAlong(lines_[line], point);
            const QSizeF size(metrics.horizontalAdvance(text) + 4, metrics.height());
            taken.push_back(
                clearPlace(frame_->toWidget(valueAt({line, point})), size, frame_->plotArea(), drawn, taken));
            labels.push_back({text, taken.back()});
        }
    }
    return labels;
}

void CurveChart::paintEnds(QPainter& painter) const {
    QColor background = palette().color(QPalette::Base);
    background.setAlphaF(0.8F); // where lines leave no room
    painter.setPen(colors::mutedText(palette()));
    for (const EndLabel& label : endLabels()) {
        painter.fillRect(label.box, background);
        painter.drawText(label.box, Qt::AlignCenter, label.text);
    }
}

QRectF CurveChart::labelOf(const ChartMark& mark) const {
    const QFontMetricsF metrics(font());
    const QRectF plot = frame_->plotArea();
    QRectF box(frame_->toWidget(mark.at).x() + 3, plot.top() + 1, metrics.horizontalAdvance(mark.label) + 6,
               metrics.height());
    if (box.right() > plot.right())
        box.moveRight(frame_->toWidget(mark.at).x() - 3);
    return box;
}

void CurveChart::paintUpright(QPainter& painter, const ChartMark& mark) const {
    const QRectF plot = frame_->plotArea();
    const double x = frame_->toWidget(mark.at).x();
    painter.setPen(QPen(colors::mutedText(palette()), 1.2, Qt::DashLine));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    QColor background = palette().color(QPalette::Base);
    background.setAlphaF(0.8F); // a line may pass under it
    painter.fillRect(labelOf(mark), background);
    painter.drawText(labelOf(mark), Qt::AlignCenter, mark.label);
}

/// From a point to both axes.
void CurveChart::paintGuides(QPainter& painter, QPointF at, const QColor& color) const {
    const QRectF plot = frame_->plotArea();
    painter.setPen(QPen(color, 1.0, Qt::DotLine));
    painter.drawLine(QPointF(plot.left(), at.y()), at);
    painter.drawLine(at, QPointF(at.x(), plot.bottom()));
}

void CurveChart::paintMarks(QPainter& painter) const {
    for (const ChartMark& mark : marks_) {
        if (!isDrawn(mark))
            continue;
        if (mark.shape == ChartMark::Shape::Upright) {
            paintUpright(painter, mark);
            continue;
        }
        const QPointF at = frame_->toWidget(mark.at);
        const QColor color =
            mark.current ? colors::synthetic(palette()) : lineStyle(lines_[*mark.line], palette()).pen.color();
        if (mark.shape == ChartMark::Shape::Landed && mark.current)
            paintGuides(painter, at, color);
        painter.setPen(QPen(palette().color(QPalette::Text), 1.2));
        painter.setBrush(color);
        paintShape(painter, mark.shape, at, mark.current ? kCurrentMark : kMark);
    }
}

void CurveChart::paintCursor(QPainter& painter) const {
    if (ringed_.mark) {
        const ChartMark& mark = marks_[*ringed_.mark];
        const bool upright = mark.shape == ChartMark::Shape::Upright;
        const QPointF at = upright ? labelOf(mark).center() : frame_->toWidget(mark.at);
        if (!upright) {
            paintGuides(painter, at, colors::mutedText(palette()));
            painter.setPen(QPen(palette().color(QPalette::Text), 2.0));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(at, kCurrentMark + 2.0, kCurrentMark + 2.0);
        }
        paintReadOut(painter, at);
        return;
    }
    if (!ringed_.point)
        return;
    const QRectF plot = frame_->plotArea();
    const QPointF at = frame_->toWidget(valueAt(*ringed_.point));
    painter.setPen(QPen(colors::mutedText(palette()), 1.0, Qt::DotLine));
    painter.drawLine(QPointF(at.x(), plot.top()), QPointF(at.x(), plot.bottom()));
    painter.setBrush(palette().color(QPalette::Base));
    painter.setPen(QPen(lineStyle(lines_[ringed_.point->line], palette()).pen.color(), 2.0));
    painter.drawEllipse(at, kRing, kRing);
    paintReadOut(painter, at);
}

/// Paints readOut() in a box beside a point.
void CurveChart::paintReadOut(QPainter& painter, QPointF at) const {
    const QRectF plot = frame_->plotArea();
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

} // namespace assay
