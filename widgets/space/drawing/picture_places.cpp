#include "widgets/space/drawing/picture_places.h"

#include "engine/base/mixed_bits.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace assay::space {
namespace {

/// Where a row comes in a fixed order in which any first so many rows are spread over the whole set: a hash, so that
/// neither sorted files nor periods in them show.
std::uint64_t spreadPlace(std::uint64_t row) {
    return mixedBits(row + kSplitMixStep);
}

/// Squares that do not overlap, at most one centre per cell of their size.
class Squares {
public:
    explicit Squares(double edge) : edge_(edge) {}

    /// @return whether there was room
    bool add(QPointF centre) {
        const auto column = static_cast<std::int32_t>(std::floor(centre.x() / edge_));
        const auto row = static_cast<std::int32_t>(std::floor(centre.y() / edge_));
        for (std::int32_t y = row - 1; y <= row + 1; ++y)
            for (std::int32_t x = column - 1; x <= column + 1; ++x)
                if (const auto at = centres_.find(keyOf(x, y)); at != centres_.end()) {
                    const QPointF apart = at->second - centre;
                    if (std::abs(apart.x()) < edge_ && std::abs(apart.y()) < edge_)
                        return false;
                }
        centres_.emplace(keyOf(column, row), centre);
        return true;
    }

private:
    static std::uint64_t keyOf(std::int32_t x, std::int32_t y) {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)) << 32 | static_cast<std::uint32_t>(y);
    }

    double edge_;
    std::unordered_map<std::uint64_t, QPointF> centres_;
};

} // namespace

PicturePlaces picturePlaces(std::span<const PickableCloud> clouds, const SpaceCamera& camera, QSizeF size, double edge,
                            std::size_t most) {
    PicturePlaces places;
    const QRectF view({}, size);
    const QMatrix4x4 matrix = camera.matrix(size);
    std::vector<std::vector<std::uint32_t>> inSight;
    for (const PickableCloud& cloud : clouds) {
        std::vector<std::uint32_t> rows = rowsInside(cloud, camera, size, view, 4 * most + 1);
        places.inSight += rows.size();
        // Too many to be worth it: the others need no counting.
        if (rows.size() > 4 * most)
            return {{}, places.inSight};
        std::ranges::sort(rows, {}, spreadPlace);
        inSight.push_back(std::move(rows));
    }
    Squares squares(edge);
    for (std::size_t i = 0; places.picks.size() < most; ++i) {
        bool any = false;
        for (std::size_t c = 0; c < clouds.size(); ++c) {
            if (i >= inSight[c].size())
                continue;
            any = true;
            const std::size_t row = inSight[c][i];
            if (const auto screen = project(matrix, size, clouds[c].points[row]); screen && squares.add(screen->at))
                places.picks.push_back({c, row});
        }
        if (!any)
            break;
    }
    return places;
}

bool arePicturesWorthIt(const PicturePlaces& places) {
    return !places.picks.empty() && 4 * places.picks.size() >= places.inSight;
}

} // namespace assay::space
