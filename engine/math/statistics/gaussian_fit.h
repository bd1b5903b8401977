#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/products/dense_product.h"

#include <cstddef>
#include <span>
#include <vector>

namespace assay {

class Accelerator;
struct SetStatistics;

/// Gaussian fitted to a set: mean and unbiased covariance S = F^T F. Only the factor F is stored, because the Frechet
/// distance needs no more. The mean is subtracted before products are computed, so that an offset of the embedding
/// costs no digits.
///
/// Products are computed in single precision with sums in double (engine/math/products/centred_products.h) if the
/// factor shows that the variance is similar in all directions. If the variance is nearly zero in some directions, they
/// are recomputed in double precision, because the distance contains the square root of the variance. Products of an
/// accelerator are in double precision.
struct GaussianFit {
    std::size_t rows = 0;     ///< N
    std::vector<double> mean; ///< d values
    double totalVariance = 0; ///< trace of S
    DoubleMatrix factor;      ///< F, r x d with r at most min(N, d): N - 1 where N <= d
};

/// A fit whose factor is not yet computed. The remaining work, finishFit(), occupies one core most of the time.
struct UnfinishedFit {
    GaussianFit fit;
    DoubleMatrix covariance; ///< d x d, lower triangle; empty if the factor is already known
    enum class Products { Single, Double } products = Products::Double; ///< precision of the products in `covariance`
    MatrixView set;                                                     ///< the set that was fitted
};

/// Computes mean and covariance, or the factor if N <= d.
/// @param set N x d, N >= 2; must outlive finishFit()
/// @param mean column means, d values
/// @param threads 0: all cores
/// @param accelerator computes the products, in double precision; if null, or if it declines, the CPU computes them
/// @throws Error{InvalidArgument} for fewer than two rows, which have no unbiased covariance; Error{DeviceFailed};
/// Cancelled
UnfinishedFit beginFit(MatrixView set, std::vector<double> mean, unsigned threads = 0, const JobContext& job = {},
                       const Accelerator* accelerator = nullptr);
/// Computes the factor of a fit.
/// @throws Cancelled, std::bad_alloc
GaussianFit finishFit(UnfinishedFit begun, unsigned threads = 0, const JobContext& job = {});

/// Runs columnMeans(), beginFit() and finishFit().
/// @param set N x d, N >= 2
/// @throws as beginFit() and finishFit()
GaussianFit fitGaussian(MatrixView set, unsigned threads = 0, const JobContext& job = {});

/// The Gaussian of a published mean and covariance.
/// @throws Error{BadInput} naming the file for a matrix with negative eigenvalues; Cancelled
GaussianFit gaussianOf(const SetStatistics& statistics, const JobContext& job = {});

/// Frechet distance |mean_a - mean_b|^2 + tr S_a + tr S_b - 2 tr (S_a S_b)^(1/2), at least 0. The last trace is the sum
/// of the singular values of F_a F_b^T. They are computed as square roots of the eigenvalues of F_a F_b^T F_b F_a^T,
/// which loses half of the digits of small values. If this loss matters, they are computed from the matrix itself.
/// @throws Error{InvalidArgument} when dimensions differ, Cancelled, std::bad_alloc
/// Source: Dowson and Landau, 1982; for generative models Heusel et al., NeurIPS 2017.
double frechetDistance(const GaussianFit& a, const GaussianFit& b, unsigned threads = 0, const JobContext& job = {});

} // namespace assay
