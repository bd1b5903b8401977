#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/products/dense_product.h"
#include "engine/math/statistics/gaussian_fit.h"

#include <cstddef>
#include <span>
#include <vector>

namespace assay {

/// The synthetic covariance as seen by the Frechet distance: F_r S_s F_r^T = U L U^T with S_r = F_r^T F_r. Its trace
/// term is the sum of the square roots of L.
struct FrechetSpectrum {
    std::vector<double> values;    ///< L without the values that are zero up to rounding, ascending
    DoubleMatrix directions;       ///< U^T F_r, one row per value: the variance of the set along it is the value
    std::vector<double> meanShift; ///< mean of the synthetic set less that of the real set, d values
    double totalVariance = 0.0;    ///< trace of S_s
};

/// Keeps one core busy with `threads` = 1, as it is mostly LAPACK.
/// @throws Error{InvalidArgument} when dimensions differ, Cancelled, std::bad_alloc
FrechetSpectrum frechetSpectrum(const GaussianFit& real, const GaussianFit& synthetic, unsigned threads = 0,
                                const JobContext& job = {});

/// Products of rows, less the synthetic mean, with the directions of a spectrum.
/// @return rows x number of directions
/// @throws Cancelled, std::bad_alloc
std::vector<float> alongDirections(const FrechetSpectrum& spectrum, MatrixView set, const std::vector<double>& mean,
                                   unsigned threads = 0, const JobContext& job = {});

/// Share of each synthetic sample in the Frechet distance: (M - 1) times the amount by which the distance would fall
/// without the sample. Exact up to rounding for each sample by itself, also where covariances lack rank. To first order
/// it is 2 (m_s - m_r) . x + x . A x - tr(A S_s) with x = s_j - m_s, A = I - T and T the linear map that takes the
/// synthetic to the real Gaussian, so shares of samples add up as long as few are removed. But with few samples per
/// dimension that order alone is off by several percent of the spread.
///
/// The covariance without a sample differs by rank one, and so does B = F_r S_s F_r^T. The trace of the square root of
/// B - b y y^T comes from sqrt(l) = 2 / pi times the integral of l / (l + t^2) over t > 0 and the determinant lemma;
/// the part of first order is known, the rest is integrated by the trapezoidal rule in log t.
/// @param set rows to be judged: those of the synthetic set, or others as if they were among them
/// @param mean of the synthetic set, d values
/// @param projected alongDirections() of the rows
/// @param samples M, number of samples of the synthetic set, at least 3
/// @return a value per row; positive: the distance falls without the sample
/// @throws Cancelled, std::bad_alloc
std::vector<double> frechetInfluence(const FrechetSpectrum& spectrum, MatrixView set, const std::vector<double>& mean,
                                     std::span<const float> projected, std::size_t samples, unsigned threads = 0,
                                     const JobContext& job = {});

} // namespace assay
