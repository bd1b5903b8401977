#include "widgets/space/drawing/space_picker.h"

#include "engine/base/mixed_bits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

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

/// A closed outline whose edges are sorted into bands of one pixel's height.
class Outline {
public:
    explicit Outline(const QPolygonF& corners) : bounds_(corners.boundingRect()) {
        // A lasso of an hour is no reason to need more memory than a screen has lines.
        constexpr double kMaxBands = 8192;
        const auto bands = static_cast<std::size_t>(std::clamp(std::ceil(bounds_.height()), 1.0, kMaxBands));
        bands_.resize(bands);
        perUnit_ = bounds_.height() > 0.0 ? static_cast<double>(bands) / bounds_.height() : 0.0;
        for (qsizetype i = 0; i < corners.size(); ++i) {
            QPointF a = corners[i];
            QPointF b = corners[(i + 1) % corners.size()];
            if (qFuzzyCompare(a.y(), b.y()))
                continue; // no point is at the height of a level edge
            if (b.y() < a.y())
                std::swap(a, b);
            for (std::size_t band = bandOf(a.y()); band <= bandOf(b.y()); ++band)
                bands_[band].push_back({a.y(), b.y(), a.x(), (b.x() - a.x()) / (b.y() - a.y())});
        }
    }

    const QRectF& bounds() const { return bounds_; }

    bool contains(QPointF p) const {
        if (!(p.y() >= bounds_.top() && p.y() <= bounds_.bottom()))
            return false;
        bool inside = false;
        for (const Edge& edge : bands_[bandOf(p.y())])
            if (p.y() >= edge.top && p.y() < edge.bottom && edge.left + edge.slope * (p.y() - edge.top) <= p.x())
                inside = !inside;
        return inside;
    }

private:
    struct Edge {
        double top, bottom; ///< y of its ends
        double left;        ///< x of the upper end
        double slope;       ///< of x over y
    };

    std::size_t bandOf(double y) const {
        const double band = (y - bounds_.top()) * perUnit_;
        return static_cast<std::size_t>(std::clamp(band, 0.0, static_cast<double>(bands_.size() - 1)));
    }

    QRectF bounds_;
    double perUnit_ = 0.0;
    std::vector<std::vector<Edge>> bands_;
};

std::vector<std::uint32_t> rowsWhere(const PickableCloud& cloud, const SpaceCamera& camera, QSizeF size,
                                     const QRectF& bounds, const auto& contains,
                                     std::size_t most = std::numeric_limits<std::size_t>::max()) {
    const QMatrix4x4 matrix = camera.matrix(size);
    const Sieve sieve(matrix, size, bounds);
    std::vector<std::uint32_t> rows;
    for (std::size_t row = 0; row < cloud.points.size() && rows.size() < most; ++row)
        if (sieve.mayHold(cloud.points[row]) && cloud.shows(row))
            if (const auto screen = project(matrix, size, cloud.points[row]); screen && contains(screen->at))
                rows.push_back(static_cast<std::uint32_t>(row));
    return rows;
}

} // namespace

std::optional<Pick> pickAt(std::span<const PickableCloud> clouds, const SpaceCamera& camera, QSizeF size,
                           QPointF cursor, double reach) {
    const QMatrix4x4 matrix = camera.matrix(size);
    std::optional<Pick> best;
    // Ordered by (does not cover the cursor, squared distance unless covering, depth, squared distance).
    constexpr double kFar = std::numeric_limits<double>::infinity();
    std::tuple<bool, double, float, double> bestKey{true, reach * reach, std::numeric_limits<float>::infinity(), kFar};
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
            const std::tuple key{!covers, covers ? 0.0 : squared, screen->depth, squared};
            if (key < bestKey) {
                bestKey = key;
                best = Pick{c, row};
            }
        }
    }
    return best;
}

std::vector<std::uint32_t> rowsInside(const PickableCloud& cloud, const SpaceCamera& camera, QSizeF size,
                                      const QRectF& rectangle, std::size_t most) {
    return rowsWhere(
        cloud, camera, size, rectangle, [&](QPointF at) { return rectangle.contains(at); }, most);
}

std::vector<std::uint32_t> rowsInside(const PickableCloud& cloud, const SpaceCamera& camera, QSizeF size,
                                      const QPolygonF& outline) {
    const Outline lasso(outline);
    return rowsWhere(cloud, camera, size, lasso.bounds(), [&](QPointF at) { return lasso.contains(at); });
}

PicturePlaces picturePlaces(std::span<const PickableCloud> clouds, const SpaceCamera& camera, QSizeF size, double edge,
                            std::size_t most) {
    PicturePlaces places;
    const QMatrix4x4 matrix = camera.matrix(size);
    // A hash of its row says when a point's turn comes, so that neither sorted files nor periods in them show.
    std::vector<std::pair<std::uint64_t, Pick>> inTurn;
    for (std::size_t c = 0; c < clouds.size(); ++c) {
        const auto rows = rowsInside(clouds[c], camera, size, QRectF({}, size), 4 * most + 1);
        for (const std::uint32_t row : rows)
            inTurn.push_back({mixedBits(row + kSplitMixStep), {c, row}});
        places.inSight += rows.size();
        if (rows.size() > 4 * most)
            return places; // too many to be worth it: the others need no counting
    }
    std::ranges::sort(inTurn, {}, [](const auto& one) { return std::pair(one.first, one.second.cloud); });
    std::vector<QPointF> taken;
    for (const auto& [turn, pick] : inTurn) {
        const auto screen = project(matrix, size, clouds[pick.cloud].points[pick.row]);
        if (places.picks.size() == most || !screen)
            continue;
        const auto overlaps = [&](QPointF other) {
            return std::abs(other.x() - screen->at.x()) < edge && std::abs(other.y() - screen->at.y()) < edge;
        };
        if (std::ranges::any_of(taken, overlaps))
            continue;
        taken.push_back(screen->at);
        places.picks.push_back(pick);
    }
    return places;
}

bool arePicturesWorthIt(const PicturePlaces& places) {
    return !places.picks.empty() && 4 * places.picks.size() >= places.inSight;
}

} // namespace assay::space
