#include "widgets/space/drawing/point_extent.h"

#include "engine/math/statistics/quantile.h"

#include <algorithm>
#include <cmath>

namespace assay::space {

namespace {

/// Number of points that gives quantiles precise enough for a box.
constexpr std::size_t kEnoughForBox = 50'000;

} // namespace

Box boxAround(const SpacePoints& points) {
    Box box;
    std::vector<float> along;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        along.clear();
        for (const auto* set : {&points.real, &points.synthetic})
            for (std::size_t row = 0; row < set->size(); row += set->size() / kEnoughForBox + 1)
                if (std::isfinite((*set)[row][axis]))
                    along.push_back((*set)[row][axis]);
        if (along.empty())
            continue;
        box.low[axis] = static_cast<float>(quantile(std::span(along), 0.005, QuantileRule::Nearest));
        box.high[axis] = static_cast<float>(quantile(std::span(along), 0.995, QuantileRule::Nearest));
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
    const QVector3D centre = box.centre();
    float squared = box.radius() * box.radius();
    for (const auto* set : {&points.real, &points.synthetic})
        for (const Point& p : *set)
            squared = std::max(squared, (toVector(p) - centre).lengthSquared());
    return std::sqrt(squared);
}

} // namespace assay::space
