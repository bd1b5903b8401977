#include "widgets/space/space_picker.h"

#include <limits>
#include <tuple>

namespace assay::space {

std::optional<Pick> pickAt(std::span<const PickableCloud> clouds, const SpaceCamera& camera, QSizeF size,
                           QPointF cursor, double reach) {
    const QMatrix4x4 matrix = camera.matrix(size);
    std::optional<Pick> best;
    // Ordered by (does not cover the cursor, squared distance unless covering, depth).
    std::tuple<bool, double, float> bestKey{true, reach * reach, std::numeric_limits<float>::infinity()};
    for (std::size_t c = 0; c < clouds.size(); ++c) {
        const double radius = clouds[c].diameter / 2;
        for (std::size_t row = 0; row < clouds[c].points.size(); ++row) {
            const auto screen = project(matrix, size, clouds[c].points[row]);
            if (!screen)
                continue;
            const QPointF offset = screen->at - cursor;
            const double squared = QPointF::dotProduct(offset, offset);
            const bool covers = squared <= radius * radius;
            const std::tuple key{!covers, covers ? 0.0 : squared, screen->depth};
            if (key < bestKey) {
                bestKey = key;
                best = Pick{c, row};
            }
        }
    }
    return best;
}

std::vector<Pick> pickInside(std::span<const PickableCloud> clouds, const SpaceCamera& camera, QSizeF size,
                             const QRectF& rectangle) {
    const QMatrix4x4 matrix = camera.matrix(size);
    std::vector<Pick> picks;
    for (std::size_t c = 0; c < clouds.size(); ++c)
        for (std::size_t row = 0; row < clouds[c].points.size(); ++row)
            if (const auto screen = project(matrix, size, clouds[c].points[row]);
                screen && rectangle.contains(screen->at))
                picks.push_back({c, row});
    return picks;
}

} // namespace assay::space
