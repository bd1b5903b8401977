#include "engine/layout/plane_regions.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <unordered_map>

namespace assay {
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
