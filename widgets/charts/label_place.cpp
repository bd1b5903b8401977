#include "widgets/charts/label_place.h"

#include <algorithm>
#include <array>
#include <optional>

namespace assay {
namespace {

constexpr double kMarker = 5.0; // radius of what is drawn at the points of a line

bool crosses(const QLineF& line, const QRectF& box) {
    if (box.contains(line.p1()) || box.contains(line.p2()))
        return true;
    const std::array<QLineF, 4> sides{QLineF(box.topLeft(), box.topRight()), QLineF(box.topRight(), box.bottomRight()),
                                      QLineF(box.bottomRight(), box.bottomLeft()),
                                      QLineF(box.bottomLeft(), box.topLeft())};
    return std::ranges::any_of(
        sides, [&](const QLineF& side) { return line.intersects(side, nullptr) == QLineF::BoundedIntersection; });
}

} // namespace

QRectF clearPlace(QPointF point, QSizeF size, const QRectF& within, const std::vector<QLineF>& lines,
                  const std::vector<QRectF>& taken) {
    constexpr std::array<double, 4> kDistances{8.0, 16.0, 28.0, 44.0};
    constexpr std::array<std::pair<int, int>, 8> kSides{
        {{1, -1}, {1, 1}, {-1, -1}, {-1, 1}, {0, -1}, {0, 1}, {1, 0}, {-1, 0}}};
    std::optional<QRectF> best;
    std::ptrdiff_t fewest = 0;
    for (const double distance : kDistances)
        for (const auto& [right, down] : kSides) {
            QRectF box({}, size);
            box.moveCenter(point +
                           QPointF(right * (distance + size.width() / 2.0), down * (distance + size.height() / 2.0)));
            if (!within.contains(box))
                continue;
            const QRectF wide = box.adjusted(-kMarker, -kMarker, kMarker, kMarker);
            const std::ptrdiff_t met =
                std::ranges::count_if(lines, [&](const QLineF& line) { return crosses(line, wide); }) +
                std::ranges::count_if(taken, [&](const QRectF& other) { return other.intersects(box); });
            if (met == 0)
                return box;
            if (!best || met < fewest) {
                best = box;
                fewest = met;
            }
        }
    return best.value_or(QRectF(within.topLeft(), size));
}

} // namespace assay
