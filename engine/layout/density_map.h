#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace assay {

/// A rectangle of the plane in equal cells.
struct PlaneGrid {
    std::array<double, 2> low{}, high{1.0, 1.0}; ///< x, y; low < high
    std::size_t columns = 256, rows = 256;       ///< cells along x and y, at least 2

    std::size_t cells() const noexcept { return columns * rows; }
    double cellWidth() const noexcept { return (high[0] - low[0]) / static_cast<double>(columns); }
    double cellHeight() const noexcept { return (high[1] - low[1]) / static_cast<double>(rows); }
    friend bool operator==(const PlaneGrid&, const PlaneGrid&) = default;
};

/// One set of points on the plane.
struct PlanePoints {
    std::span<const std::array<float, 3>> points; ///< x, y and what is ignored; NaN: nowhere
    const std::vector<bool>* shown = nullptr;     ///< per point; null: all
};

/// Densities of two sets on the plane, and where they differ. All vectors have one value per cell, at its centre: x
/// first, the row of least y first.
struct DensityMap {
    PlaneGrid grid;
    std::array<double, 2> bandwidth{}; ///< standard deviation of the Gaussian kernel along x and y, in the points' unit
    std::array<std::size_t, 2> counts{}; ///< placed points: real, synthetic
    std::vector<float> real, synthetic;  ///< share of the set's points per cell, >= 0; all 0 for a set without points
    /// log of the synthetic over the real density, in nats: above 0 where the model has too much. What two points add
    /// at their own place is added to both, so that it tends to 0 where there are few points, and is largest where many
    /// points say so and not at the fringe of a mode.
    std::vector<float> logRatio;
    /// The difference of both densities in its standard errors, with the sign of the log ratio.
    std::vector<float> certainty;
};

/// Kernel density estimates of a real and a synthetic set with one Gaussian kernel for both, so that a difference is
/// not one of smoothing. Points are binned linearly and the bins smoothed, which takes the same time for any number of
/// points but for the binning.
///
/// The kernel is half as wide as the rule of thumb for one normal distribution of the smaller set's size
/// (0.9 min(sd, IQR / 1.34) n^(-1/6)), because sets of interest have several modes; at least one cell.
/// @param threads 0 for every core
/// @throws Error{InvalidArgument} for a grid without extent, Cancelled
/// Source: Silverman, Density Estimation, 1986, eq. 3.31 (for d = 2) and section 3.5; Wand, Fast computation of
/// multivariate kernel estimators, 1994 (linear binning).
DensityMap densityMap(const PlanePoints& real, const PlanePoints& synthetic, const PlaneGrid& grid,
                      unsigned threads = 0, const JobContext& job = {});

/// Densities whose level lines enclose these shares of all mass: the smallest region that holds the share.
/// @param density >= 0 per cell
/// @param shares in (0, 1)
/// @return one level per share; 0 for a density of 0 everywhere
std::vector<float> densityLevels(const std::vector<float>& density, std::span<const double> shares);

/// A mode of the real density on the plane, with the samples from which the density rises to its peak.
struct PlaneRegion {
    std::array<double, 2> peak{}; ///< x, y
    std::string name;             ///< commonest class of its samples
    std::size_t samples = 0;
};

/// Regions that hold at least 1 % of the samples and of which at least half are of one class; the largest first.
///
/// Cells join the neighbouring region with the highest peak, from the densest cell downwards. Two regions that meet
/// become one unless both peaks are at least 1.5 times as dense as the place where they meet.
/// @param labels of the samples; empty: no region has a name, and none is returned
/// Source: Chazal, Guibas, Oudot, Skraba, Persistence-based clustering in Riemannian manifolds, 2013, on a grid.
std::vector<PlaneRegion> namedRegions(const DensityMap& map, const PlanePoints& samples, const ClassLabels& labels);

} // namespace assay
