#pragma once

#include "widgets/space/space_camera.h"

#include <QRectF>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace assay::space {

/// One cloud that can be picked from, as it is drawn.
struct PickableCloud {
    std::span<const Point> points;
    double diameter = 0.0; ///< of a drawn point, logical pixels
};

/// A point of one of several clouds.
struct Pick {
    std::size_t cloud = 0;
    std::size_t row = 0;

    friend bool operator==(const Pick&, const Pick&) = default;
};

/// The point under the cursor. Where drawn points cover the cursor the front-most of them wins; else the nearest within
/// `reach` logical pixels, the front-most of equally near ones. One pass over the points, some ms for 200,000.
std::optional<Pick> pickAt(std::span<const PickableCloud> clouds, const SpaceCamera& camera, QSizeF size,
                           QPointF cursor, double reach);

/// Every point whose centre lies in a rectangle of the screen, by cloud and row.
std::vector<Pick> pickInside(std::span<const PickableCloud> clouds, const SpaceCamera& camera, QSizeF size,
                             const QRectF& rectangle);

} // namespace assay::space
