#include "widgets/space/drawing/space_drawing.h"

#include "engine/report/space/space_points.h"

#include <QPainter>

#include <tuple>

namespace assay::space {

bool Drawing::hasScene(const Drawing& other) const {
    const auto scene = [](const Drawing& drawing) {
        return std::tie(drawing.clouds, drawing.highlights.ball, drawing.map, drawing.box, drawing.background,
                        drawing.axes, drawing.frame);
    };
    return scene(*this) == scene(other);
}

Box boxAround(const SpacePoints& points) {
    Box box;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto along = [axis](const Point& p) { return p[axis]; };
        if (const auto range = innerRange(0.005, along, points.real, points.synthetic)) {
            box.low[axis] = static_cast<float>(range->low);
            box.high[axis] = static_cast<float>(range->high);
        }
    }
    const float radius = box.radius();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        // Where there is no third (or no) component the box stays flat, but not without any extent at all.
        const float padding = radius > 0.0F ? 0.04F * (box.high[axis] - box.low[axis]) : 1.0F;
        box.low[axis] -= padding;
        box.high[axis] += padding;
    }
    return box;
}

float reachOf(const SpacePoints& points, const Box& box) {
    float squared = box.radius() * box.radius();
    for (const auto* set : {&points.real, &points.synthetic})
        for (const Point& p : *set)
            squared = std::max(squared, (toVector(p) - box.centre()).lengthSquared());
    return std::sqrt(squared);
}

void paintShape(QPainter& painter, SetId set, QPointF centre, double radius) {
    if (isReal(set))
        painter.drawPolygon(QPolygonF{centre + QPointF(0, -radius), centre + QPointF(radius, 0),
                                      centre + QPointF(0, radius), centre + QPointF(-radius, 0)});
    else
        painter.drawEllipse(centre, radius, radius);
}

} // namespace assay::space
