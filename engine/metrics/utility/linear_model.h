#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/column_moments.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Chosen rows of a set, each feature less the mean and divided by the deviation of a reference set. A feature that is
/// constant in the reference set is only moved.
struct StandardRows {
    std::vector<float> values; ///< rows x dim, row-major
    std::size_t rows = 0;
    std::size_t dim = 0;

    /// @param rows below set.rows
    /// @throws Cancelled
    static StandardRows of(MatrixView set, std::span<const std::uint32_t> rows, const ColumnMoments& reference,
                           const ComputeContext& context);
};

/// A linear map from features to one output per class, or to a single number.
struct LinearModel {
    std::size_t outputs = 0;
    std::size_t dim = 0;
    std::vector<double> weights; ///< outputs x (dim + 1), row-major; the intercept is last
    double gradientNorm = 0.0;   ///< where training ended, as a share of the norm at its start
    std::size_t evaluations = 0; ///< passes over the rows
    bool converged = false;      ///< whether the gradient's norm fell below the tolerance, 1e-6 of its start by default
};

/// How a classifier is trained.
struct ClassifierTraining {
    double penalty = 1.0;    ///< factor of |W|^2 / 2, above 0: 1 / C of scikit-learn
    double tolerance = 1e-6; ///< training ends when the gradient's norm is below this share of its norm at the start
};

/// Multinomial logistic regression: least sum of the log losses plus penalty * |W|^2 / 2 without the intercepts. With
/// two classes W is the one vector that separates them, as in scikit-learn's LogisticRegression(C=1 / penalty). The
/// result is equal, to the last bit, for any number of threads on one kind of processor.
/// @param code each row's class, below `classes`
/// @param classes at least 2
/// @throws Cancelled
LinearModel trainClassifier(const StandardRows& rows, std::span<const std::uint32_t> code, std::size_t classes,
                            const ComputeContext& context, const ClassifierTraining& training = {});

/// Ridge regression: least half the sum of squared errors plus |w|^2 / 2 without the intercept, as in scikit-learn's
/// Ridge(alpha=1). One output.
/// @param target one number per row
/// @throws Cancelled
LinearModel trainRegression(const StandardRows& rows, std::span<const double> target, const ComputeContext& context);

/// The outputs of every row: rows x outputs, row-major.
/// @throws Cancelled
std::vector<float> outputsOf(const LinearModel& model, const StandardRows& rows, const ComputeContext& context);

/// Turns the outputs of a classifier into probabilities.
/// @param outputs rows x classes, row-major
void toProbabilities(std::span<float> outputs, std::size_t classes);

/// Upper bound in bytes of what training allocates for standardised rows, gradients and steps.
std::size_t linearModelBytes(std::size_t rows, std::size_t dim, std::size_t outputs);

/// Relative cost of training: products of single numbers.
double linearModelProducts(std::size_t rows, std::size_t dim, std::size_t outputs);

} // namespace assay
