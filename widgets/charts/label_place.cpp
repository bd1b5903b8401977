#include "widgets/charts/label_place.h"

#include <algorithm>
#include <array>
#include <optional>

namespace assay {
namespace {

constexpr double kMarker = 5.0;  // radius of what is drawn at the points of a line
constexpr int kPushedInside = 9; // below or above, and moved sideways until it lies within

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

QRectF clearPlace(QPointF point, QSizeF size, double off, const QRectF& within, const std::vector<QLineF>& lines,
                  const std::vector<QRectF>& taken) {
    constexpr std::array<double, 5> kDistances{3.0, 9.0, 20.0, 36.0, 56.0}; // from the mark
    constexpr std::array<std::pair<int, int>, 10> kSides{{{1, 0},
                                                          {-1, 0},
                                                          {0, -1},
                                                          {0, 1},
                                                          {1, -1},
                                                          {-1, -1},
                                                          {1, 1},
                                                          {-1, 1},
                                                          {kPushedInside, 1},
                                                          {kPushedInside, -1}}};
    std::optional<QRectF> best;
    std::ptrdiff_t fewest = 0;
    for (const double distance : kDistances)
        for (const auto& [right, down] : kSides) {
            const double x = off + distance + size.width() / 2.0;
            const double y = off + distance + size.height() / 2.0;
            QRectF box({}, size);
            box.moveCenter(point + QPointF(right * x, down * y));
            if (right == kPushedInside)
                box.moveLeft(std::clamp(point.x() - size.width() / 2.0, within.left(),
                                        std::max(within.left(), within.right() - size.width())));
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
