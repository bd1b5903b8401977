#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/gaussian_fit.h"
#include "engine/math/statistics/nan.h"
#include "engine/metrics/embedding/frechet_infinity.h"

#include <string>
#include <vector>

namespace assay {

/// Scores of a set against a mean and covariance, without real samples.
struct ReferenceScores {
    double distance = kNaN;        ///< Frechet distance
    FrechetInfinity infinity;      ///< the same for infinitely many samples
    std::vector<double> influence; ///< frechetInfluence(): M values; empty for M < 3
};

/// @param referenceName, name for messages
/// @param set M x d
/// @throws Error{BadInput} for another dimension, fewer than two rows, or min(M, d) > kMaxEigenvalues; Cancelled
ReferenceScores scoreAgainst(const GaussianFit& reference, const std::string& referenceName, MatrixView set,
                             const std::string& name, const ComputeContext& context);

} // namespace assay
