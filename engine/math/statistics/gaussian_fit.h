#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/products/double_matrix.h"

#include <cstddef>
#include <span>
#include <vector>

namespace assay {

class Accelerator;

/// The Gaussian that fits a set: mean and unbiased covariance S = F^T F, kept as F because the Frechet distance asks
/// for no more. The mean is taken off before anything is multiplied, so that an offset of the embedding costs no
/// digits. Products are of single precision with sums in double (engine/math/products/float_gram.h) where the factor
/// shows that the set has much the same variance in all directions, in double precision throughout where it has next to
/// none in some: a root of it is part of the distance; and where an accelerator does them.
struct GaussianFit {
    std::size_t rows = 0;     ///< N
    std::vector<double> mean; ///< d values
    double totalVariance = 0; ///< trace of S
    DoubleMatrix factor;      ///< F, r x d with r at most min(N, d): N - 1 where N <= d
};

/// A fit whose factor may still be to be found: what is left then keeps one core busy, not all of them.
struct UnfinishedFit {
    GaussianFit fit;
    DoubleMatrix covariance; ///< d x d, the lower triangle; empty where the factor is known
    enum class Products { Single, Double } products = Products::Double; ///< that the covariance is of
    MatrixView set;                                                     ///< that it is of
};

/// @param set N x d, N >= 2
/// @param mean of each column, d values
/// @param threads 0 for every core
/// @param accelerator does the products, in double precision; null or where it declines: the CPU
/// @throws Error{InvalidArgument} for fewer than two rows, which have no unbiased covariance; Error{DeviceFailed};
///         Cancelled
UnfinishedFit beginFit(MatrixView set, std::vector<double> mean, unsigned threads = 0, const JobContext& job = {},
                       const Accelerator* accelerator = nullptr);
GaussianFit finishFit(UnfinishedFit begun, unsigned threads = 0, const JobContext& job = {});

/// Both at once. @throws as they do
GaussianFit fitGaussian(MatrixView set, unsigned threads = 0, const JobContext& job = {});

/// Frechet distance |mean_a - mean_b|^2 + tr S_a + tr S_b - 2 tr (S_a S_b)^(1/2), at least 0. The last trace is the sum
/// of the singular values of F_a F_b^T: found as roots of the eigenvalues of its square, and where these are too small
/// for that, which costs half of their digits, from the matrix itself.
/// @throws Error{InvalidArgument} when dimensions differ, Cancelled, std::bad_alloc
/// Source: Dowson and Landau, 1982; for generative models Heusel et al., NeurIPS 2017.
double frechetDistance(const GaussianFit& a, const GaussianFit& b, unsigned threads = 0, const JobContext& job = {});

} // namespace assay
