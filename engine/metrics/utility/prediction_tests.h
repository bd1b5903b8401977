#pragma once

#include "engine/base/compute_context.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/metrics/utility/linear_model.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// A classifier's answers on samples whose class is known.
struct ClassifierTest {
    std::vector<std::uint32_t> predicted; ///< per sample: index of the predicted class
    std::vector<double> correct;          ///< per sample: 1 where that is its own class, else 0
    std::vector<double> probability;      ///< per sample: probability of its own class; 0 for an unknown class
    double accuracy = 0.0;
    /// Each class against the rest, averaged over the classes by their share of the samples; NaN for one class only.
    double auc = 0.0;
    /// How much each sample moves `auc`: resampled means of them are its resampled deviations, to first order.
    std::vector<double> aucInfluence;
    bool converged = true; ///< whether training reached the tolerance
};

/// Probabilities of classes for some samples.
struct ClassProbabilities {
    std::vector<float> values;        ///< samples x known.size(), row-major
    std::vector<std::uint32_t> known; ///< the classes that the classifier knows, ascending; others have probability 0
    bool converged = true;
};

/// Trains a classifier on labelled samples, of the classes that occur in `code` only, and finds the probabilities of
/// other samples' classes.
/// @param code each training row's class, at least two different ones
/// @throws Cancelled
ClassProbabilities classify(const StandardRows& training, std::span<const std::uint32_t> code,
                            const StandardRows& samples, const ComputeContext& context);

/// Compares probabilities with the samples' own classes. O(T C log T).
/// @param code each sample's own class
/// @param classes number of classes, above every code and every known class
/// @throws Cancelled
ClassifierTest testOf(const ClassProbabilities& found, std::span<const std::uint32_t> code, std::size_t classes,
                      const ComputeContext& context);

/// Resampled values of accuracy and AUC, in this order.
struct TestResamples {
    std::vector<double> accuracy;
    std::vector<double> auc;
};
/// Draws samples with replacement; tests on as many samples share the draws.
/// @throws Cancelled
TestResamples resampled(const ClassifierTest& test, const Resampling& how, const JobContext& job = {});

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
