#include "widgets/space/canvas/space_overlay.h"

#include "widgets/charts/chart_axis.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/link/thumbnail_cache.h"
#include "widgets/space/canvas/space_canvas.h"
#include "widgets/text/names.h"

#include <QPainter>

#include <algorithm>
#include <cstddef>
#include <vector>

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
    painter.setBrush(toColor(color));
    painter.drawEllipse(at, radius - rim, radius - rim);
    ring(radius, rim, style.rim);
    if (edge > 0.0) {
        ring(radius, edge, QColor(20, 20, 20));
        ring(radius - rim + edge, edge, QColor(20, 20, 20));
    }
}

} // namespace

SpaceOverlay::SpaceOverlay(SpaceCanvas* canvas, ThumbnailCache* pictures)
    : QWidget(canvas), canvas_(canvas), pictures_(pictures) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    if (pictures)
        connect(pictures, &ThumbnailCache::arrived, this, qOverload<>(&QWidget::update));
}

void SpaceOverlay::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintThumbnails(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    paintHighlights(painter);
    if (canvas_->camera().isFlat()) {
        paintRegions(painter);
        paintPlaneAxes(painter);
    } else {
        paintAxisTitles(painter);
        paintOrientation(painter);
    }
    paintOutline(painter);
    if (const QString& notice = canvas_->drawing().notice; !notice.isEmpty()) {
        QRectF box(0, 8, fontMetrics().horizontalAdvance(notice) + 2, fontMetrics().height());
        box.moveCenter({width() / 2.0, box.center().y()});
        paintText(painter, box, notice, canvas_->drawing().text);
    }
}

/// Names of regions, larger ones first; one that would lie on another name is left out.
void SpaceOverlay::paintRegions(QPainter& painter) const {
    if (!canvas_->drawing().map)
        return;
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    const QFontMetricsF metrics(bold);
    std::vector<QRectF> taken;
    for (const PlaneRegion& region : canvas_->drawing().map->density->regions) {
        const auto at = placeOf({static_cast<float>(region.peak[0]), static_cast<float>(region.peak[1]), 0.0F});
        const QString name = briefClassText(region.name);
        QRectF box(0, 0, metrics.horizontalAdvance(name) + 2, metrics.height());
        box.moveCenter(at.value_or(QPointF(-1e6, -1e6)));
        if (!at || std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(box); }))
            continue;
        taken.push_back(box);
        paintText(painter, box, name, canvas_->drawing().text);
    }
    painter.setFont(font());
}

void SpaceOverlay::paintText(QPainter& painter, const QRectF& box, const QString& text, const QColor& ink) const {
    QColor halo = canvas_->drawing().background;
    halo.setAlpha(190);
    painter.setPen(Qt::NoPen);
    painter.setBrush(halo);
    painter.drawRoundedRect(box.adjusted(-3, 0, 3, 0), 3, 3);
    painter.setPen(ink);
    painter.drawText(box, Qt::AlignCenter, text);
}

std::optional<QPointF> SpaceOverlay::placeOf(const Point& point) const {
    const auto screen = project(canvas_->camera().matrix(size()), size(), point);
    return screen ? std::optional(screen->at) : std::nullopt;
}

/// Ticks and a title along the lower and the left edge.
void SpaceOverlay::paintPlaneAxes(QPainter& painter) const {
    const Drawing& drawing = canvas_->drawing();
    if (drawing.titles.size() < 2)
        return;
    constexpr double kTick = 4.0; // logical pixels
    constexpr double kTickGap = 3.0;
    const QFontMetricsF metrics(font());
    const double line = metrics.height();
    const auto boxOf = [&](const QString& text, QPointF at) {
        return QRectF(at, QSizeF(metrics.horizontalAdvance(text) + 2, line));
    };
    const Point low = toPoint(canvas_->camera().planeAt(QPointF(0, height()), size()));
    const Point high = toPoint(canvas_->camera().planeAt(QPointF(width(), 0), size()));
    for (const std::size_t axis : {0U, 1U}) {
        const bool across = axis == 0;
        const AxisRange& range = drawing.ranges[axis];
        const double apart = across ? width() / 90.0 : height() / 40.0;
        for (const double value :
             axisTicks(range.valueAt(static_cast<double>(low[axis])), range.valueAt(static_cast<double>(high[axis])),
                       std::max(1, static_cast<int>(apart)))) {
            Point point = low;
            point[axis] = static_cast<float>((value - range.low) / (range.high - range.low));
            const auto at = placeOf(point);
            if (!at)
                continue;
            QRectF box = boxOf(formatNumber(value), {kTick + kTickGap, height() - kTick - line});
            box.moveCenter(across ? QPointF(at->x(), box.center().y()) : QPointF(box.center().x(), at->y()));
            // The corner belongs to neither axis, and titles have room.
            const QRectF room =
                across ? QRectF(rect()).adjusted(40, 0, -4, 0) : QRectF(rect()).adjusted(0, 6 + line, 0, -line);
            if (!room.contains(box))
                continue;
            painter.setPen(drawing.axes);
            if (across)
                painter.drawLine(QPointF(at->x(), height()), QPointF(at->x(), height() - kTick));
            else
                painter.drawLine(QPointF(0, at->y()), QPointF(kTick, at->y()));
            paintText(painter, box, formatNumber(value), drawing.axes);
        }
    }
    QRectF right = boxOf(drawing.titles[0], {0, height() - kTick - 2 * line - kTickGap});
    right.moveRight(width() - 10);
    paintText(painter, right, drawing.titles[0], drawing.text);
    paintText(painter, boxOf(drawing.titles[1], {kTick + kTickGap + 2, 6}), drawing.titles[1], drawing.text);
}

QRect SpaceOverlay::rectOf(const Thumbnail& thumbnail) const {
    QRect box(0, 0, Thumbnail::kEdge, Thumbnail::kEdge);
    const auto at = placeOf(thumbnail.at);
    box.moveCenter(at.value_or(QPointF()).toPoint());
    return at && box.intersects(rect()) ? box : QRect();
}

std::optional<SampleId> SpaceOverlay::pictureAt(QPointF at) const {
    for (const Thumbnail& thumbnail : canvas_->drawing().thumbnails)
        if (rectOf(thumbnail).contains(at.toPoint()))
            return thumbnail.sample;
    return std::nullopt;
}

void SpaceOverlay::paintThumbnails(QPainter& painter) const {
    constexpr int kFrame = 2;
    constexpr double kMark = 4.5; // radius of the set's shape in the corner
    for (const Thumbnail& thumbnail : canvas_->drawing().thumbnails) {
        const QRect box = rectOf(thumbnail);
        if (box.isNull())
            continue;
        const QColor color = toColor(thumbnail.color);
        painter.fillRect(box, color);
        if (thumbnail.selected || thumbnail.sample == canvas_->drawing().hovered) {
            painter.setPen(
                QPen(thumbnail.selected ? colors::selected(palette()) : palette().color(QPalette::WindowText), 4));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box.adjusted(0, 0, -1, -1));
        }
        pictures_->paint(painter, box.adjusted(kFrame, kFrame, -kFrame, -kFrame), thumbnail.sample, palette());
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(palette().color(QPalette::Base), 1));
        painter.setBrush(color);
        paintShape(painter, thumbnail.sample.set, box.topLeft() + QPointF(kMark + 1, kMark + 1), kMark);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

void SpaceOverlay::paintOutline(QPainter& painter) const {
    const QPolygonF& outline = canvas_->outline();
    if (outline.size() < 2)
        return;
    QColor fill = palette().color(QPalette::Highlight);
    painter.setPen(QPen(fill, 1.5));
    fill.setAlpha(40);
    painter.setBrush(fill);
    painter.drawPolygon(outline);
    painter.setBrush(Qt::NoBrush);
}

void SpaceOverlay::paintHighlights(QPainter& painter) const {
    const Highlights& highlights = canvas_->drawing().highlights;
    paintFlatBall(painter);
    for (const Segment& link : highlights.lines) {
        const auto from = placeOf(link.from);
        const auto to = placeOf(link.to);
        if (!from || !to)
            continue;
        painter.setPen(QPen(toColor(link.color), link.style == LineStyle::Decisive ? 3.0 : 1.5,
                            link.style == LineStyle::Closing ? Qt::DotLine : Qt::SolidLine));
        painter.drawLine(*from, *to);
    }
    for (const Marks& marks : highlights.marks)
        for (std::size_t i = 0; i < marks.points.size(); ++i)
            if (const auto at = placeOf(marks.points[i]))
                drawMark(painter, *at, marks, marks.colors[i]);
}

/// On the plane a ball is a disc; in space the scene draws it, because points lie before and behind it.
void SpaceOverlay::paintFlatBall(QPainter& painter) const {
    const auto& ball = canvas_->drawing().highlights.ball;
    if (!ball || !canvas_->camera().isFlat())
        return;
    const auto centre = placeOf(ball->centre);
    if (!centre)
        return;
    const double radius = static_cast<double>(ball->radius / canvas_->camera().halfHeight()) * height() / 2;
    QColor fill = ball->color;
    painter.setPen(QPen(fill, 1.5));
    fill.setAlpha(50);
    painter.setBrush(fill);
    painter.drawEllipse(*centre, radius, radius);
    painter.setBrush(Qt::NoBrush);
}

void SpaceOverlay::paintAxisTitles(QPainter& painter) const {
    const Drawing& drawing = canvas_->drawing();
    const QFontMetricsF metrics(font());
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(drawing.titles.size()); ++axis) {
        const QString& title = drawing.titles[static_cast<qsizetype>(axis)];
        Point end = drawing.box.low;
        end[axis] = drawing.box.high[axis] + 0.03F * (drawing.box.high[axis] - drawing.box.low[axis]);
        const auto at = placeOf(end);
        // Shifted in from the edge a little; an end that is far outside has no title.
        if (!at || !QRectF(rect()).adjusted(-30, -30, 30, 30).contains(*at))
            continue;
        QRectF box(0, 0, metrics.horizontalAdvance(title) + 2, metrics.height());
        box.moveCenter(*at);
        box.moveLeft(std::clamp(box.left(), 6.0, std::max(6.0, width() - box.width() - 6.0)));
        box.moveTop(std::clamp(box.top(), 4.0, std::max(4.0, height() - box.height() - 4.0)));
        paintText(painter, box, title, drawing.text);
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
