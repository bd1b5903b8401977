#include "widgets/space/space_picker.h"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

namespace assay::space {
namespace {

/// SpaceCamera::matrix() in single precision without Qt's type checks: quickly excludes points far from the mouse.
/// What is near is measured by project().
class Sieve {
public:
    Sieve(const QMatrix4x4& matrix, QSizeF size, const QRectF& rectangle) {
        for (std::size_t c = 0; c < 4; ++c) {
            const int column = static_cast<int>(c);
            x_[c] = matrix(0, column);
            y_[c] = matrix(1, column);
            w_[c] = matrix(3, column);
        }
        constexpr double kSlack = 0.5; // logical pixels: single precision is good for far more
        left_ = static_cast<float>((rectangle.left() - kSlack) / size.width() * 2 - 1);
        right_ = static_cast<float>((rectangle.right() + kSlack) / size.width() * 2 - 1);
        low_ = static_cast<float>(1 - (rectangle.bottom() + kSlack) / size.height() * 2);
        high_ = static_cast<float>(1 - (rectangle.top() - kSlack) / size.height() * 2);
    }

    bool mayHold(const Point& p) const {
        const float w = along(w_, p);
        const float x = along(x_, p);
        const float y = along(y_, p);
        return x >= left_ * w && x <= right_ * w && y >= low_ * w && y <= high_ * w;
    }

private:
    static float along(const std::array<float, 4>& row, const Point& p) {
        return row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3];
    }

    std::array<float, 4> x_{}, y_{}, w_{};
    float left_, right_, low_, high_;
};

} // namespace

std::optional<Pick> pickAt(std::span<const PickableCloud> clouds, const SpaceCamera& camera, QSizeF size,
                           QPointF cursor, double reach) {
    const QMatrix4x4 matrix = camera.matrix(size);
    std::optional<Pick> best;
    // Ordered by (does not cover the cursor, squared distance unless covering, depth).
    std::tuple<bool, double, float> bestKey{true, reach * reach, std::numeric_limits<float>::infinity()};
    for (std::size_t c = 0; c < clouds.size(); ++c) {
        const double radius = clouds[c].diameter / 2;
        const double margin = std::max(reach, radius);
        const Sieve sieve(matrix, size, {cursor.x() - margin, cursor.y() - margin, 2 * margin, 2 * margin});
        for (std::size_t row = 0; row < clouds[c].points.size(); ++row) {
            if (!sieve.mayHold(clouds[c].points[row]) || !clouds[c].shows(row))
                continue;
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

std::vector<std::uint32_t> rowsInside(const PickableCloud& cloud, const SpaceCamera& camera, QSizeF size,
                                      const QRectF& rectangle) {
    const QMatrix4x4 matrix = camera.matrix(size);
    const Sieve sieve(matrix, size, rectangle);
    std::vector<std::uint32_t> rows;
    for (std::size_t row = 0; row < cloud.points.size(); ++row)
        if (sieve.mayHold(cloud.points[row]) && cloud.shows(row))
            if (const auto screen = project(matrix, size, cloud.points[row]); screen && rectangle.contains(screen->at))
                rows.push_back(static_cast<std::uint32_t>(row));
    return rows;
}

} // namespace assay::space
