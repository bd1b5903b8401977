#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/gaussian_fit.h"
#include "engine/math/statistics/nan.h"
#include "engine/metrics/embedding/frechet_influence.h"
#include "engine/metrics/tables/metric.h"

#include <cstddef>
#include <span>
#include <vector>

namespace assay {

/// The Frechet distance that infinitely many synthetic samples would have: distances of subsets of 15 sizes n are about
/// a + b / n. Only the number of synthetic samples is extrapolated; the real set's fit is taken as it is.
struct FrechetInfinity {
    double value = kNaN; ///< a; NaN if there is no fit, or a poor one
    double low = kNaN;   ///< 95 % interval of a, from the scatter of up to six disjoint subsets of the smallest size
    double high = kNaN;
    double slope = kNaN;       ///< b
    double r2 = kNaN;          ///< share of the variance of `distances` that the fit explains
    std::vector<double> sizes; ///< n, ascending; empty if there are too few samples for a fit
    std::vector<double>
        distances; ///< of the first n rows in random order; of the smallest size, the mean over the subsets
};

/// Number of sizes.
inline constexpr std::size_t kInfinitySizes = 15;
/// Sets of more dimensions have no fit: it would need dozens of decompositions that take half a minute each.
inline constexpr std::size_t kMaxInfinityDim = 2048;

/// The smallest size is a tenth of the set, but at least four times the dimension, as the law holds for large n only.
/// Sets without two such subsets have no fit. The fit is poor if it explains less than 90 % of the variance and leaves
/// deviations above the half-width of the interval.
///
/// Rows are taken along the directions of the spectrum, where the covariance of any of them has the eigenvalues whose
/// roots make the trace term. Subsets are nested, so each row is summed once. Rounding to single precision moves all
/// distances alike; they are moved back to that of the whole set.
/// @param set M x d
/// @param mean its mean, d values
/// @param projected alongDirections() of its rows
/// @param whole its Frechet distance
/// @throws Cancelled, std::bad_alloc
/// Source: Chong and Forsyth, CVPR 2020.
FrechetInfinity frechetInfinity(const GaussianFit& real, const FrechetSpectrum& spectrum, MatrixView set,
                                const std::vector<double>& mean, std::span<const float> projected, double whole,
                                const ComputeContext& context);

/// Upper bound of the memory that frechetInfinity() needs, in bytes.
std::size_t frechetInfinityBytes(std::size_t rows, std::size_t dim);

namespace metrics {
/// Distances by number of samples, and the fitted line.
CurveValues frechetBySize(const MetricInputs& in);
} // namespace metrics

} // namespace assay
