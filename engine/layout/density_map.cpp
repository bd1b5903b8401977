#include "engine/layout/density_map.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/math/statistics/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

namespace assay {
namespace {

constexpr double kReach = 4.0; // standard deviations after which the kernel ends

bool isPlaced(const PlanePoints& set, std::size_t row) {
    return (!set.shown || (*set.shown)[row]) && std::isfinite(set.points[row][0] + set.points[row][1]);
}

std::size_t countPlaced(const PlanePoints& set) {
    std::size_t count = 0;
    for (std::size_t row = 0; row < set.points.size(); ++row)
        count += isPlaced(set, row) ? 1 : 0;
    return count;
}

/// Spread of both sets along one axis, robust against outliers; 0 where there is none.
double spreadAlong(const PlanePoints& real, const PlanePoints& synthetic, std::size_t axis) {
    constexpr std::size_t kEnough = 50'000;
    std::vector<double> values;
    for (const PlanePoints* set : {&real, &synthetic})
        for (std::size_t row = 0; row < set->points.size(); row += set->points.size() / kEnough + 1)
            if (isPlaced(*set, row))
                values.push_back(static_cast<double>(set->points[row][axis]));
    if (values.size() < 2)
        return 0.0;
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    double squares = 0.0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    const double deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
    const double quartiles = quantile(std::span(values), 0.75) - quantile(std::span(values), 0.25);
    return quartiles > 0.0 ? std::min(deviation, quartiles / 1.34) : deviation;
}

/// Shares of the set's points per cell, each point divided among the four cells whose centres surround it. Points
/// outside the grid are in none.
std::vector<float> binned(const PlanePoints& set, const PlaneGrid& grid, std::size_t count, const JobContext& job) {
    std::vector<double> bins(grid.cells());
    const auto columns = static_cast<std::ptrdiff_t>(grid.columns);
    const auto rows = static_cast<std::ptrdiff_t>(grid.rows);
    const auto add = [&](std::ptrdiff_t x, std::ptrdiff_t y, double weight) {
        if (x >= 0 && y >= 0 && x < columns && y < rows)
            bins[static_cast<std::size_t>(y * columns + x)] += weight;
    };
    constexpr std::size_t kBetweenStops = 1 << 16;
    for (std::size_t row = 0; row < set.points.size(); ++row) {
        if (row % kBetweenStops == 0)
            job.throwIfStopped();
        if (!isPlaced(set, row))
            continue;
        const double x = (static_cast<double>(set.points[row][0]) - grid.low[0]) / grid.cellWidth() - 0.5;
        const double y = (static_cast<double>(set.points[row][1]) - grid.low[1]) / grid.cellHeight() - 0.5;
        if (!(x > -1.0 && y > -1.0 && x < static_cast<double>(columns) && y < static_cast<double>(rows)))
            continue;
        const double left = std::floor(x);
        const double below = std::floor(y);
        const auto column = static_cast<std::ptrdiff_t>(left);
        const auto line = static_cast<std::ptrdiff_t>(below);
        const double partX = x - left;
        const double partY = y - below;
        add(column, line, (1.0 - partX) * (1.0 - partY));
        add(column + 1, line, partX * (1.0 - partY));
        add(column, line + 1, (1.0 - partX) * partY);
        add(column + 1, line + 1, partX * partY);
    }
    std::vector<float> shares(bins.size());
    for (std::size_t cell = 0; cell < bins.size() && count > 0; ++cell)
        shares[cell] = static_cast<float>(bins[cell] / static_cast<double>(count));
    return shares;
}

/// A Gaussian of this standard deviation, in cells: its weights at distances 0, 1, .., which sum to 1 over both sides.
std::vector<float> kernel(double deviation) {
    std::vector<double> weights;
    for (double d = 0.0; d <= std::max(1.0, std::ceil(kReach * deviation)); d += 1.0)
        weights.push_back(std::exp(-0.5 * d * d / (deviation * deviation)));
    const double sum = 2.0 * std::accumulate(weights.begin(), weights.end(), 0.0) - weights.front();
    std::vector<float> result;
    result.reserve(weights.size());
    for (const double weight : weights)
        result.push_back(static_cast<float>(weight / sum));
    return result;
}

/// Each row smoothed, and the result transposed: twice is a smoothing of the plane.
std::vector<float> smoothedAcross(const std::vector<float>& values, std::size_t columns,
                                  const std::vector<float>& weights, unsigned threads, const JobContext& job) {
    const std::size_t rows = values.size() / columns;
    std::vector<float> result(values.size());
    parallelFor(rows, threads, job, [&](std::size_t row, unsigned) {
        const float* line = values.data() + row * columns;
        for (std::size_t x = 0; x < columns; ++x) {
            float sum = weights[0] * line[x];
            for (std::size_t d = 1; d < weights.size(); ++d) {
                if (d <= x)
                    sum += weights[d] * line[x - d];
                if (x + d < columns)
                    sum += weights[d] * line[x + d];
            }
            result[x * rows + row] = sum;
        }
    });
    return result;
}

/// Fills in where the densities differ.
/// @param deviation of the kernel, in cells
void compare(DensityMap& map, const std::array<double, 2>& deviation) {
    map.logRatio.resize(map.grid.cells());
    map.certainty.resize(map.grid.cells());
    if (map.counts[0] == 0 || map.counts[1] == 0)
        return;
    // Integral of the squared kernel: the variance of an estimate p from n points is about p times this over n.
    const double roughness = 1.0 / (4.0 * std::numbers::pi * deviation[0] * deviation[1]);
    const auto realCount = static_cast<double>(map.counts[0]);
    const auto syntheticCount = static_cast<double>(map.counts[1]);
    // Half of what one point adds at its own place.
    const double floor = roughness / std::min(realCount, syntheticCount);
    const double shrinking = 4.0 * floor;
    for (std::size_t cell = 0; cell < map.grid.cells(); ++cell) {
        const auto real = static_cast<double>(map.real[cell]);
        const auto synthetic = static_cast<double>(map.synthetic[cell]);
        map.logRatio[cell] = static_cast<float>(std::log((synthetic + shrinking) / (real + shrinking)));
        const double variance = roughness * ((synthetic + floor) / syntheticCount + (real + floor) / realCount);
        map.certainty[cell] = static_cast<float>((synthetic - real) / std::sqrt(variance));
    }
}

} // namespace

DensityMap densityMap(const PlanePoints& real, const PlanePoints& synthetic, const PlaneGrid& grid, unsigned threads,
                      const JobContext& job) {
    if (!(grid.cellWidth() > 0.0 && grid.cellHeight() > 0.0) || grid.columns < 2 || grid.rows < 2)
        throw Error(ErrorKind::InvalidArgument, "the plane's grid needs an extent and cells");
    DensityMap map;
    map.grid = grid;
    map.counts = {countPlaced(real), countPlaced(synthetic)};
    // A set without points decides nothing.
    const std::size_t smaller = map.counts[0] == 0   ? map.counts[1]
                                : map.counts[1] == 0 ? map.counts[0]
                                                     : std::min(map.counts[0], map.counts[1]);
    const double shrinkage = std::pow(static_cast<double>(std::max<std::size_t>(1, smaller)), -1.0 / 6.0);
    std::array<double, 2> deviation{};
    const std::array cell{grid.cellWidth(), grid.cellHeight()};
    for (std::size_t axis = 0; axis < 2; ++axis) {
        deviation[axis] = std::max(1.0, 0.5 * 0.9 * spreadAlong(real, synthetic, axis) * shrinkage / cell[axis]);
        // Wider than the grid nothing is left to see.
        deviation[axis] =
            std::min(deviation[axis], static_cast<double>(axis == 0 ? grid.columns : grid.rows) / 8.0 + 1);
        map.bandwidth[axis] = deviation[axis] * cell[axis];
    }
    std::array<std::vector<float>, 2> densities;
    const std::array sets{&real, &synthetic};
    parallelFor(sets.size(), threads, job.part({}, 0.0, 0.8),
                [&](std::size_t set, unsigned) { densities[set] = binned(*sets[set], grid, map.counts[set], job); });
    const std::vector<float> across = kernel(deviation[0]);
    const std::vector<float> up = kernel(deviation[1]);
    for (auto& density : densities) {
        density = smoothedAcross(density, grid.columns, across, threads, job);
        density = smoothedAcross(density, grid.rows, up, threads, job);
    }
    map.real = std::move(densities[0]);
    map.synthetic = std::move(densities[1]);
    compare(map, deviation);
    return map;
}

std::vector<float> densityLevels(const std::vector<float>& density, std::span<const double> shares) {
    std::vector<float> sorted = density;
    std::ranges::sort(sorted, std::greater());
    const double total = std::accumulate(sorted.begin(), sorted.end(), 0.0);
    std::vector<float> levels;
    for (const double share : shares) {
        double mass = 0.0;
        float level = 0.0F;
        for (const float value : sorted) {
            if (total <= 0.0 || mass >= share * total)
                break;
            mass += static_cast<double>(value);
            level = value;
        }
        levels.push_back(level);
    }
    return levels;
}

namespace {

constexpr float kProminence = 1.5F; // of a peak, over the place where its region meets a higher one
constexpr double kMinShare = 0.01;  // of all samples
constexpr double kMinOfClass = 0.5; // of a region's samples

/// Assigns cells to peaks.
class Peaks {
public:
    explicit Peaks(const DensityMap& map) : map_(map), parent_(map.grid.cells()) {
        std::iota(parent_.begin(), parent_.end(), std::size_t{0});
        std::vector<std::size_t> cells = parent_;
        std::erase_if(cells, [&](std::size_t cell) { return map.real[cell] <= 0.0F; });
        std::ranges::stable_sort(cells, std::greater(), [&](std::size_t cell) { return map.real[cell]; });
        std::vector<bool> isDone(parent_.size(), false);
        for (const std::size_t cell : cells) {
            join(cell, isDone);
            isDone[cell] = true;
        }
    }

    /// The cell of the peak of a cell's region.
    std::size_t of(std::size_t cell) {
        while (parent_[cell] != cell)
            cell = parent_[cell] = parent_[parent_[cell]];
        return cell;
    }

private:
    void join(std::size_t cell, const std::vector<bool>& isDone) {
        const auto columns = static_cast<std::ptrdiff_t>(map_.grid.columns);
        const auto x = static_cast<std::ptrdiff_t>(cell) % columns;
        std::vector<std::size_t> peaks; // of denser neighbours
        for (const std::ptrdiff_t dy : {-1, 0, 1})
            for (const std::ptrdiff_t dx : {-1, 0, 1}) {
                const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(cell) + dy * columns + dx;
                if (x + dx >= 0 && x + dx < columns && at >= 0 && at < std::ssize(parent_) &&
                    isDone[static_cast<std::size_t>(at)])
                    peaks.push_back(of(static_cast<std::size_t>(at)));
            }
        if (peaks.empty())
            return;
        const std::size_t highest = *std::ranges::max_element(peaks, {}, [&](std::size_t p) { return map_.real[p]; });
        parent_[cell] = highest;
        for (const std::size_t peak : peaks)
            if (map_.real[peak] < kProminence * map_.real[cell])
                parent_[peak] = highest;
    }

    const DensityMap& map_;
    std::vector<std::size_t> parent_; ///< by cell; a peak is its own
};

std::optional<std::size_t> cellOf(const PlaneGrid& grid, const std::array<float, 3>& point) {
    const double column = (static_cast<double>(point[0]) - grid.low[0]) / grid.cellWidth();
    const double row = (static_cast<double>(point[1]) - grid.low[1]) / grid.cellHeight();
    if (!(column >= 0.0 && row >= 0.0 && column < static_cast<double>(grid.columns) &&
          row < static_cast<double>(grid.rows)))
        return std::nullopt; // also NaN
    return static_cast<std::size_t>(row) * grid.columns + static_cast<std::size_t>(column);
}

} // namespace

std::vector<PlaneRegion> namedRegions(const DensityMap& map, const PlanePoints& samples, const ClassLabels& labels) {
    if (labels.code.empty())
        return {};
    Peaks peaks(map);
    std::unordered_map<std::size_t, std::vector<std::size_t>> counts; // by peak, of each class
    std::size_t placed = 0;
    for (std::size_t row = 0; row < samples.points.size(); ++row) {
        const auto cell =
            samples.shown && !(*samples.shown)[row] ? std::nullopt : cellOf(map.grid, samples.points[row]);
        if (!cell)
            continue;
        ++placed;
        auto& ofRegion = counts[peaks.of(*cell)];
        ofRegion.resize(labels.names.size());
        ++ofRegion[labels.code[row]];
    }
    std::vector<PlaneRegion> regions;
    for (const auto& [peak, ofClass] : counts) {
        const auto commonest = std::ranges::max_element(ofClass);
        const auto total = std::accumulate(ofClass.begin(), ofClass.end(), std::size_t{0});
        const auto code = static_cast<std::uint32_t>(commonest - ofClass.begin());
        if (!labels.isClass(code) || static_cast<double>(total) < kMinShare * static_cast<double>(placed) ||
            static_cast<double>(*commonest) < kMinOfClass * static_cast<double>(total))
            continue;
        const std::size_t column = peak % map.grid.columns;
        const std::size_t row = peak / map.grid.columns;
        regions.push_back({{map.grid.low[0] + (static_cast<double>(column) + 0.5) * map.grid.cellWidth(),
                            map.grid.low[1] + (static_cast<double>(row) + 0.5) * map.grid.cellHeight()},
                           labels.names[code],
                           total});
    }
    std::ranges::sort(regions, std::greater(),
                      [](const PlaneRegion& region) { return std::pair(region.samples, region.name); });
    return regions;
}

} // namespace assay
