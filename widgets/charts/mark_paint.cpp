#include "widgets/charts/mark_paint.h"

#include <QPainter>
#include <QPolygonF>

namespace assay {
namespace {

/// For a mark that is 2 across.
QPolygonF cornersOf(MarkShape shape) {
    switch (shape) {
    case MarkShape::Square:
        return {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}};
    case MarkShape::Diamond:
        return {{0.0, -1.25}, {1.25, 0.0}, {0.0, 1.25}, {-1.25, 0.0}};
    case MarkShape::TriangleUp:
        return {{0.0, -1.2}, {1.15, 0.9}, {-1.15, 0.9}};
    case MarkShape::TriangleDown:
        return {{0.0, 1.2}, {1.15, -0.9}, {-1.15, -0.9}};
    default:
        return {};
    }
}

} // namespace

void paintMark(QPainter& painter, const MarkStyle& style, QPointF centre) {
    if (style.shape == MarkShape::None)
        return;
    painter.save();
    painter.setPen(style.edge);
    painter.setBrush(style.fill);
    const double reach = style.size / 2.0;
    if (style.shape == MarkShape::Circle) {
        painter.drawEllipse(centre, reach, reach);
    } else if (style.shape == MarkShape::Plus) {
        painter.setPen(QPen(style.edge.color(), style.fill == style.edge.color() ? 2.2 : 1.2)); // thin where hollow
        painter.drawLine(centre - QPointF(reach, 0), centre + QPointF(reach, 0));
        painter.drawLine(centre - QPointF(0, reach), centre + QPointF(0, reach));
    } else {
        QPolygonF corners = cornersOf(style.shape);
        for (QPointF& corner : corners)
            corner = centre + reach * corner;
        painter.drawPolygon(corners);
    }
    painter.restore();
}

void paintLineSample(QPainter& painter, const QPen& line, const MarkStyle& mark, const QRectF& box) {
    painter.setPen(line);
    painter.drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()));
    paintMark(painter, mark, box.center());
}

} // namespace assay
