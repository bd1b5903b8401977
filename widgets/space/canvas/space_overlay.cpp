#include "widgets/space/canvas/space_overlay.h"

#include "widgets/space/canvas/plane_axes.h"
#include "widgets/space/canvas/space_canvas.h"
#include "widgets/space/drawing/halo_text.h"

#include <QPainter>

#include <algorithm>

namespace assay::space {
namespace {

/// A disc of the sample's colour within a rim. A coloured rim has dark edges on both sides: it must show on points and
/// backgrounds of its own colour.
void drawMark(QPainter& painter, QPointF at, const Marks& style, Rgb color) {
    const auto ring = [&](double from, double width, const QColor& ink) {
        painter.setPen(QPen(ink, width));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(at, from - width / 2, from - width / 2);
    };
    const double radius = static_cast<double>(style.diameter) / 2;
    const double rim = static_cast<double>(style.rimWidth);
    const double edge = static_cast<double>(style.edgeWidth);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(color[0], color[1], color[2]));
    painter.drawEllipse(at, radius - rim, radius - rim);
    ring(radius, rim, style.rim);
    if (edge > 0.0) {
        ring(radius, edge, QColor(20, 20, 20));
        ring(radius - rim + edge, edge, QColor(20, 20, 20));
    }
}

} // namespace

SpaceOverlay::SpaceOverlay(SpaceCanvas* canvas) : QWidget(canvas), canvas_(canvas) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
}

void SpaceOverlay::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintHighlights(painter);
    if (canvas_->camera().isFlat()) {
        paintPlaneAxes(painter, *canvas_);
    } else {
        paintAxisTitles(painter);
        paintOrientation(painter);
    }
    paintLasso(painter);
}

void SpaceOverlay::paintLasso(QPainter& painter) const {
    const QPolygonF& lasso = canvas_->lasso();
    if (lasso.size() < 2)
        return;
    QColor fill = palette().color(QPalette::Highlight);
    painter.setPen(QPen(fill, 1.5));
    fill.setAlpha(40);
    painter.setBrush(fill);
    painter.drawPolygon(lasso);
    painter.setBrush(Qt::NoBrush);
}

void SpaceOverlay::paintHighlights(QPainter& painter) const {
    const Highlights& highlights = canvas_->drawing().highlights;
    paintFlatBall(painter);
    const QMatrix4x4 matrix = canvas_->camera().matrix(size());
    for (const Segment& link : highlights.lines) {
        const auto from = project(matrix, size(), link.from);
        const auto to = project(matrix, size(), link.to);
        if (!from || !to)
            continue;
        const QColor ink(link.color[0], link.color[1], link.color[2]);
        painter.setPen(QPen(ink, link.style == LineStyle::Decisive ? 3.0 : 1.5,
                            link.style == LineStyle::Closing ? Qt::DotLine : Qt::SolidLine));
        painter.drawLine(from->at, to->at);
    }
    for (const Marks& marks : highlights.marks)
        for (std::size_t i = 0; i < marks.points.size(); ++i)
            if (const auto screen = project(matrix, size(), marks.points[i]))
                drawMark(painter, screen->at, marks, marks.colors[i]);
}

/// On the plane a ball is a disc; in space the scene draws it, because points lie before and behind it.
void SpaceOverlay::paintFlatBall(QPainter& painter) const {
    const auto& ball = canvas_->drawing().highlights.ball;
    if (!ball || !canvas_->camera().isFlat())
        return;
    const auto centre = project(canvas_->camera().matrix(size()), size(), ball->centre);
    if (!centre)
        return;
    const double radius = static_cast<double>(ball->radius / canvas_->camera().halfHeight()) * height() / 2;
    QColor fill = ball->color;
    painter.setPen(QPen(fill, 1.5));
    fill.setAlpha(50);
    painter.setBrush(fill);
    painter.drawEllipse(centre->at, radius, radius);
    painter.setBrush(Qt::NoBrush);
}

void SpaceOverlay::paintAxisTitles(QPainter& painter) const {
    const Drawing& drawing = canvas_->drawing();
    const QMatrix4x4 matrix = canvas_->camera().matrix(size());
    const QFontMetricsF metrics(font());
    for (std::size_t axis = 0; axis < 3 && axis < static_cast<std::size_t>(canvas_->axisTitles().size()); ++axis) {
        const QString title = canvas_->axisTitles()[static_cast<qsizetype>(axis)];
        const float length = drawing.box.high[axis] - drawing.box.low[axis];
        Point end = drawing.box.low;
        end[axis] = drawing.box.high[axis] + 0.03F * length;
        const auto screen = project(matrix, size(), end);
        if (!screen)
            continue;
        QRectF box(0, 0, metrics.horizontalAdvance(title) + 2, metrics.height());
        box.moveCenter(screen->at);
        // Shifted in from the edge a little; an end that is far outside has no title.
        if (!QRectF(rect()).adjusted(-30, -30, 30, 30).contains(screen->at))
            continue;
        box.moveLeft(std::clamp(box.left(), 6.0, std::max(6.0, width() - box.width() - 6.0)));
        box.moveTop(std::clamp(box.top(), 4.0, std::max(4.0, height() - box.height() - 4.0)));
        drawHaloText(painter, box, title, drawing.text, drawing.background);
    }
}

void SpaceOverlay::paintOrientation(QPainter& painter) const {
    const Drawing& drawing = canvas_->drawing();
    QFont small = font();
    small.setPointSizeF(std::max(7.0, small.pointSizeF() * 0.8));
    painter.setFont(small);
    const QFontMetricsF metrics(small);
    constexpr double kArm = 20.0;
    const QPointF centre(34, height() - 34);
    std::array<std::size_t, 3> order{0, 1, 2};
    std::array<QVector3D, 3> arms;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        Point direction{};
        direction[axis] = 1;
        arms[axis] = canvas_->camera().toEye(toVector(direction));
    }
    // Axes that point away from the viewer first, so that the others are painted over them.
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return arms[a].z() < arms[b].z(); });
    for (const std::size_t axis : order) {
        const QPointF tip = centre + QPointF(arms[axis].x(), -arms[axis].y()) * kArm;
        QColor ink = drawing.text;
        ink.setAlphaF(arms[axis].z() < -0.1F ? 0.45F : 0.9F);
        painter.setPen(QPen(ink, 1.5, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(centre, tip);
        const QPointF beyond = centre + QPointF(arms[axis].x(), -arms[axis].y()) * (kArm + 8);
        QRectF box(0, 0, 14, metrics.height());
        box.moveCenter(beyond);
        painter.drawText(box, Qt::AlignCenter, QString::number(axis + 1));
    }
}

} // namespace assay::space
