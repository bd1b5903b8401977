#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/gaussian_fit.h"
#include "engine/math/statistics/nan.h"
#include "engine/metrics/tables/metric.h"

#include <cstddef>
#include <vector>

namespace assay {

/// The Frechet distance that infinitely many synthetic samples would have: distances of subsets of 15 sizes n are about
/// a + b / n. Only the number of synthetic samples is extrapolated; the real set's fit is taken as it is.
struct FrechetInfinity {
    double value = kNaN; ///< a; NaN if there is no fit, or a poor one
    double low = kNaN;   ///< 95 % interval of a, from the scatter of the smallest subsets, which are disjoint
    double high = kNaN;
    double slope = kNaN;           ///< b
    double r2 = kNaN;              ///< share of the variance of `distances` that the fit explains
    std::vector<double> sizes;     ///< n, ascending; empty if there are too few samples for a fit
    std::vector<double> distances; ///< mean over the disjoint subsets of that size
};

/// Number of sizes.
inline constexpr std::size_t kInfinitySizes = 15;
/// Sets of more dimensions have no fit: it would need dozens of decompositions that take half a minute each.
inline constexpr std::size_t kMaxInfinityDim = 2048;

/// The smallest size is a tenth of the set, but at least twice the dimension, as the law fails where covariances lack
/// rank. Sets without two such subsets have no fit. The fit is poor if it explains less than 90 % of the variance and
/// leaves deviations above the half-width of the interval.
/// @param set M x d
/// @throws Cancelled, std::bad_alloc
/// Source: Chong and Forsyth, CVPR 2020.
FrechetInfinity frechetInfinity(const GaussianFit& real, MatrixView set, const ComputeContext& context);

/// Upper bound of the memory that frechetInfinity() needs, in bytes.
std::size_t frechetInfinityBytes(std::size_t rows, std::size_t dim, unsigned threads);

namespace metrics {
/// Distances by number of samples, and the fitted line.
CurveValues frechetBySize(const MetricInputs& in);
} // namespace metrics

} // namespace assay
