#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"

#include <vector>

namespace assay {

/// Mixture of equally weighted, isotropic Gaussians around given centres, each with its own variance. Source:
/// Jiralerspong et al. 2023.
class GaussianMixture {
public:
    /// @param centres M x d, kept by reference
    /// @param threads 0: all cores
    GaussianMixture(MatrixView centres, unsigned threads) : centres_(centres), threads_(threads) {}

    /// Fits the variances to maximise the likelihood of `rows`: at most 50 Adam steps on the logarithms of the
    /// variances, starting from the distance to the nearest row. During the fit, one additional Gaussian around the
    /// mean of the rows absorbs rows that are far from every centre. Stores one float per pair of row and centre during
    /// the fit.
    /// @return mean negative log-likelihood of the rows, as meanNll() computes it
    /// @throws Cancelled
    double fit(MatrixView rows, const JobContext& job);

    /// Mean negative log-likelihood of rows, in nats per dimension. Precondition: fit() has run.
    /// @throws Cancelled
    double meanNll(MatrixView rows, const JobContext& job) const;

    /// Logarithm of each centre's variance, M values; empty before fit().
    const std::vector<double>& logVariances() const noexcept { return logVariance_; }

private:
    MatrixView centres_;
    unsigned threads_;
    std::vector<double> logVariance_;
};

} // namespace assay
