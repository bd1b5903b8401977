#pragma once

#include "engine/base/compute_context.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/metrics/utility/linear_model.h"

#include <span>
#include <vector>

namespace assay {

/// Predictions of numbers on samples whose number is known.
struct RegressionTest {
    std::vector<double> predicted;    ///< per sample
    std::vector<double> squaredError; ///< per sample
    double r2 = 0.0;       ///< 1 - sum of squared errors / sum of squares about the mean; NaN where all are equal
    bool converged = true; ///< whether training reached the tolerance
};

/// Samples with a number each.
struct NumberedRows {
    StandardRows rows;
    std::vector<double> numbers;
};

/// Trains a ridge regression on some samples and predicts others.
/// @throws Cancelled
RegressionTest regress(const NumberedRows& training, const NumberedRows& test, const ComputeContext& context);

/// Compares predictions with the actual numbers.
RegressionTest compared(std::vector<double> predicted, std::span<const double> actual);

/// R^2 in every resample of the samples.
/// @throws Cancelled
std::vector<double> resampledR2(const RegressionTest& test, std::span<const double> actual, const Resampling& how,
                                const JobContext& job = {});

} // namespace assay
