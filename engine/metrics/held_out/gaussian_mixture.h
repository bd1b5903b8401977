#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"

#include <cstddef>
#include <vector>

namespace assay {

/// Equally likely Gaussians around given centres, each round and of its own width, as in Jiralerspong et al. 2023.
class GaussianMixture {
public:
    /// @param centres M x d, kept by reference
    /// @param threads 0 for every core
    GaussianMixture(MatrixView centres, unsigned threads) : centres_(centres), threads_(threads) {}

    /// Finds the widths under which rows are likeliest: at most 50 steps of Adam on the logarithms of the variances,
    /// from the distance to the nearest row on. While fitting, one more Gaussian about the rows' mean takes those that
    /// are far from every centre. Keeps a float for every pair meanwhile.
    /// @return the rows' mean negative log-likelihood, as meanNll() would find it
    /// @throws Cancelled
    double fit(MatrixView rows, const JobContext& job);

    /// Mean negative log-likelihood of rows in nats per dimension. @throws Cancelled
    double meanNll(MatrixView rows, const JobContext& job) const;

    /// Logarithm of each centre's variance.
    const std::vector<double>& logVariances() const noexcept { return logVariance_; }

private:
    MatrixView centres_;
    unsigned threads_;
    std::vector<double> logVariance_;
};

} // namespace assay
