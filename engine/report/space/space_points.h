#pragma once

#include "engine/math/statistics/quantile.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay {

class PrincipalComponents;

/// Method that places samples on the plane or in space.
enum class Arrangement {
    Components, ///< the first principal components of the real set: lengths are the embedding's, never longer
    Neighbors,  ///< near neighbours lie together; lengths have no unit (engine/layout/neighbor_layout.h)
    Columns,    ///< an axis for each of two or three columns: features or per-sample scores
};

/// A column that lies along an axis.
struct SpaceAxis {
    std::string column;      ///< id of a per-sample score, which samples of one side have; empty: a feature of both
    std::size_t feature = 0; ///< column of the embedding

    friend bool operator==(const SpaceAxis&, const SpaceAxis&) = default;
};

/// How samples are placed.
struct SpaceLayout {
    Arrangement arrangement = Arrangement::Components;
    std::size_t dimensions = 3;         ///< 2 or 3
    std::array<SpaceAxis, 3> axes = {}; ///< Columns: the first `dimensions`

    bool isFlat() const noexcept { return dimensions == 2; }
    friend bool operator==(const SpaceLayout&, const SpaceLayout&) = default;
};

/// Values that lie at 0 and at 1 of an axis.
struct AxisRange {
    double low = 0.0, high = 1.0;

    double valueAt(double position) const noexcept { return low + position * (high - low); }
    friend bool operator==(const AxisRange&, const AxisRange&) = default;
};

/// Real and synthetic samples on the plane (their third coordinate is 0) or in space. A plain value, computed by a job.
struct SpacePoints {
    std::vector<std::array<float, 3>> real;      ///< N, in row order; NaN: not placed, for it lacks an axis' value
    std::vector<std::array<float, 3>> synthetic; ///< M of the current model, in row order
    std::array<double, 3> explainedShare{};      ///< Components: of the real set's variance, by axis, in [0, 1]
    std::shared_ptr<const PrincipalComponents> components{}; ///< Components: the axes; null for other layouts
    SpaceLayout layout{};
    /// Share of each sample's `neighbors` nearest, in all dimensions, that are among as many nearest here; NaN:
    /// unknown.
    double keptNeighbors = std::numeric_limits<double>::quiet_NaN();
    std::size_t neighbors = 0;
    /// Columns: coordinates are shares of these ranges, beyond [0, 1] for the outermost samples, because columns have
    /// different units.
    std::array<AxisRange, 3> ranges{};
};

/// Range of the finite values of all lists without a share of them at either end; none where nothing is finite. Of a
/// long list 50,000 evenly spaced values count, which is precise enough for axes and colours.
/// @param valueOf value of an element of a list
template <class... Lists>
std::optional<AxisRange> innerRange(double tail, const auto& valueOf, const Lists&... lists) {
    constexpr std::size_t kEnough = 50'000;
    std::vector<double> finite;
    const auto take = [&](const auto& list) {
        for (std::size_t row = 0; row < list.size(); row += list.size() / kEnough + 1)
            if (const auto value = static_cast<double>(valueOf(list[row])); std::isfinite(value))
                finite.push_back(value);
    };
    (take(lists), ...);
    if (finite.empty())
        return std::nullopt;
    return AxisRange{quantile(std::span(finite), tail, QuantileRule::Nearest),
                     quantile(std::span(finite), 1.0 - tail, QuantileRule::Nearest)};
}

} // namespace assay
