#include "widgets/curves/line_style.h"

#include "widgets/common/colors.h"

#include <QPainter>
#include <QPalette>
#include <QPolygonF>

#include <array>

namespace assay {
namespace {

constexpr double kCurrentWidth = 2.6;
constexpr double kLineWidth = 1.6;
constexpr std::size_t kFewPoints = 40;
constexpr double kMarkerReach = 3.2; // from its centre

QColor paler(const QColor& color, const QPalette& palette) {
    constexpr float kOwn = 0.55F;
    const QColor base = palette.color(QPalette::Base);
    const auto mix = [](float own, float other) { return kOwn * own + (1.0F - kOwn) * other; };
    return QColor::fromRgbF(mix(color.redF(), base.redF()), mix(color.greenF(), base.greenF()),
                            mix(color.blueF(), base.blueF()));
}

/// Dashes of the scores themselves, in turn.
Qt::PenStyle dashOf(std::size_t style) {
    static constexpr std::array<Qt::PenStyle, 4> kDashes{Qt::SolidLine, Qt::DotLine, Qt::DashDotLine,
                                                         Qt::DashDotDotLine};
    // Six colours meet four dashes again after twelve lines: from there on one dash further.
    return kDashes[(style + style / 12) % kDashes.size()];
}

LineMarker markerOf(std::size_t style) {
    constexpr std::size_t kMarkers = 6;
    return static_cast<LineMarker>(style / 4 % kMarkers);
}

QPolygonF cornersOf(LineMarker marker) {
    switch (marker) {
    case LineMarker::Square:
        return {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}};
    case LineMarker::Diamond:
        return {{0.0, -1.25}, {1.25, 0.0}, {0.0, 1.25}, {-1.25, 0.0}};
    case LineMarker::TriangleUp:
        return {{0.0, -1.2}, {1.15, 0.9}, {-1.15, 0.9}};
    case LineMarker::TriangleDown:
        return {{0.0, 1.2}, {1.15, -0.9}, {-1.15, -0.9}};
    case LineMarker::Circle:
    case LineMarker::Plus:
        break;
    }
    return {};
}

} // namespace

LineStyle lineStyle(const ChartLine& line, const QPalette& palette) {
    const bool marked = !line.x || line.x->size() <= kFewPoints;
    if (line.ideal)
        return {{colors::mutedText(palette), kLineWidth, Qt::DashLine, Qt::FlatCap}, LineMarker::Circle, false, false};
    if (line.current)
        return {
            {colors::synthetic(palette), kCurrentWidth, Qt::SolidLine, Qt::FlatCap}, LineMarker::Circle, false, marked};
    const QColor color = colors::line(line.style, palette);
    if (line.controlOf)
        return {{paler(color, palette), kLineWidth, Qt::DashLine, Qt::FlatCap}, markerOf(line.style), true, marked};
    return {{color, kLineWidth, dashOf(line.style), Qt::FlatCap}, markerOf(line.style), false, marked};
}

void paintMarker(QPainter& painter, const LineStyle& style, QPointF centre, const QColor& background) {
    painter.save();
    const QColor color = style.pen.color();
    painter.setPen(QPen(color, 1.2));
    painter.setBrush(style.hollow ? background : color);
    const double reach = kMarkerReach + style.pen.widthF() / 4.0;
    if (style.marker == LineMarker::Circle) {
        painter.drawEllipse(centre, reach, reach);
    } else if (style.marker == LineMarker::Plus) {
        painter.setPen(QPen(color, style.hollow ? 1.2 : 2.2));
        painter.drawLine(centre - QPointF(reach, 0), centre + QPointF(reach, 0));
        painter.drawLine(centre - QPointF(0, reach), centre + QPointF(0, reach));
    } else {
        QPolygonF corners = cornersOf(style.marker);
        for (QPointF& corner : corners)
            corner = centre + reach * corner;
        painter.drawPolygon(corners);
    }
    painter.restore();
}

void paintLineSample(QPainter& painter, const ChartLine& line, const QRectF& box, const QPalette& palette) {
    const LineStyle style = lineStyle(line, palette);
    painter.setPen(style.pen);
    painter.drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()));
    if (style.marked)
        paintMarker(painter, style, box.center(), palette.color(QPalette::Base));
}

} // namespace assay
