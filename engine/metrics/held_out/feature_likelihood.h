#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/tables/metric.h"

#include <cstddef>
#include <cstdint>
#include <vector>

/// Feature likelihood divergence, Jiralerspong et al., NeurIPS 2023: Gaussians around synthetic samples, as wide as
/// they best explain the training set, have to explain held-out samples. One around a copy shrinks onto its original
/// and explains nothing else.
namespace assay {

/// Rows of features in which every feature has mean 0 and variance 1 over the held-out set.
struct StandardizedRows {
    std::vector<float> values;
    std::size_t rows = 0;
    std::size_t dim = 0;

    MatrixView view() const noexcept { return {values.data(), rows, dim}; }
};

/// What depends on the real and the held-out set alone.
struct LikelihoodBasis {
    /// Rows of a set that are used at most, drawn with the seed from larger ones: every pair's distance is kept.
    static constexpr std::size_t kMostRows = 10000;

    std::vector<std::uint32_t> features; ///< those that vary over the held-out set
    std::vector<double> mean;            ///< per feature used
    std::vector<double> deviation;       ///< per feature used; unbiased
    StandardizedRows training;           ///< in an order drawn with the seed
    StandardizedRows heldOut;
    double baseline = 0.0;           ///< nats per feature, of half the training set fitted to the other half
    std::size_t baselineCentres = 0; ///< how many rows that half has
};

/// @param training N x d, N >= 4
/// @param heldOut H x d, H >= 2
/// @throws Cancelled
LikelihoodBasis likelihoodBasis(MatrixView training, MatrixView heldOut, std::uint64_t seed, unsigned threads,
                                const JobContext& job);

/// A model's figures, each 100 times a difference of mean negative log-likelihoods in nats per feature.
struct FeatureLikelihood {
    double divergence; ///< of the held-out set beyond the baseline
    double gap;        ///< of the training set beyond the held-out set; negative: overfitted
};

/// NaN where no feature varies. @param synthetic M x d @throws Cancelled
FeatureLikelihood featureLikelihood(const LikelihoodBasis& basis, MatrixView synthetic, std::uint64_t seed,
                                    unsigned threads, const JobContext& job);

/// Bytes that all this takes at most while it runs.
std::size_t featureLikelihoodBytes(std::size_t training, std::size_t heldOut, std::size_t synthetic, std::size_t dim);

namespace metrics {

double fld(const MetricInputs& in);
double fldGap(const MetricInputs& in);

} // namespace metrics
} // namespace assay
