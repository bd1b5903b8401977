#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/tables/metric.h"

#include <cstddef>
#include <cstdint>
#include <vector>

/// Feature likelihood divergence, Jiralerspong et al., NeurIPS 2023. A Gaussian is placed around each synthetic sample.
/// Its width is fitted to explain the training set, and the mixture is evaluated on held-out samples. A Gaussian around
/// a copied training sample shrinks onto the original and explains no other sample.
namespace assay {

/// Rows standardised so that every feature has mean 0 and variance 1 over the held-out set.
struct StandardizedRows {
    std::vector<float> values;
    std::size_t rows = 0;
    std::size_t dim = 0;

    MatrixView view() const noexcept { return {values.data(), rows, dim}; }
};

/// Data computed from the real and the held-out set only; shared by every model.
struct LikelihoodBasis {
    /// Largest number of rows used per set; larger sets are sampled with the seed. The limit exists because the fit
    /// stores the distance of every pair.
    static constexpr std::size_t kMaxRows = 10000;

    std::vector<std::uint32_t> features; ///< columns that vary over the held-out set, ascending
    std::vector<double> mean;            ///< per feature used: mean over the held-out set
    std::vector<double> deviation;       ///< per feature used: unbiased standard deviation over the held-out set
    StandardizedRows training;           ///< real rows, in a seeded order that depends on their values alone
    StandardizedRows heldOut;
    /// Mean negative log-likelihood of the held-out set, in nats per feature, when half the training set is fitted to
    /// the other half.
    double baseline = 0.0;
    std::size_t baselineCentres = 0; ///< number of centres in that baseline: half of the training rows
};

/// Computes the basis: the standardisation, the sampled rows and the baseline.
/// @param training N x d, N >= 4
/// @param heldOut H x d, H >= 2
/// @param threads 0: all cores
/// @throws Cancelled
LikelihoodBasis likelihoodBasis(MatrixView training, MatrixView heldOut, std::uint64_t seed, unsigned threads,
                                const JobContext& job);

/// Scores of one model. Each is 100 times a difference of two mean negative log-likelihoods in nats per feature.
struct FeatureLikelihood {
    double divergence; ///< held-out set minus baseline
    double gap;        ///< training set minus held-out set; negative: overfitted
};

/// Fits the Gaussians around the synthetic samples and compares their likelihoods. Both scores are NaN if no feature
/// varies over the held-out set.
/// @param synthetic M x d
/// @param threads 0: all cores
/// @throws Cancelled
FeatureLikelihood featureLikelihood(const LikelihoodBasis& basis, MatrixView synthetic, std::uint64_t seed,
                                    unsigned threads, const JobContext& job);

/// Upper bound in bytes of the memory that likelihoodBasis() and featureLikelihood() use while they run.
/// @param training, heldOut, synthetic number of rows of each set
std::size_t featureLikelihoodBytes(std::size_t training, std::size_t heldOut, std::size_t synthetic, std::size_t dim);

} // namespace assay
