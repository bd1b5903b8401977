#pragma once

#include "engine/base/compute_context.h"
#include "engine/metrics/tables/compared_rows.h"
#include "engine/metrics/utility/labels.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace assay {

/// How well a classifier tells synthetic rows from real ones that it was not trained on.
struct SeparationTest {
    /// Input of the classifier.
    enum class Input {
        Features,   ///< features, standardised
        Components, ///< principal components, of sets with more than 100 features
        Products,   ///< principal components, their squares and products of two of them
    };
    Input input = Input::Features;
    double area = 0.5;         ///< area under the ROC curve, mean of both folds; 0.5 is a coin toss
    double deviation = 0.0;    ///< of the area
    double pValue = 1.0;       ///< of an area of at most 0.5, one-sided
    std::uint32_t feature = 0; ///< Input::Features: column of the largest weight in both folds together; else 0

    /// Whether it tells the sets apart by more than chance.
    bool isSure() const noexcept { return pValue <= 0.005; }

    bool operator==(const SeparationTest&) const = default;
};

/// Classifiers' tests of two sets.
struct ToldApart {
    std::size_t realRows = 0;            ///< number of real rows used
    std::size_t syntheticRows = 0;       ///< number of synthetic rows used
    std::vector<SeparationTest> tests{}; ///< features or components, then products; empty for too few rows

    /// The test that surely tells the sets apart with the largest area; empty: neither does.
    std::optional<SeparationTest> strongest() const;

    bool operator==(const ToldApart&) const = default;
};

/// Number of rows of a set that toldApart() uses: up to 5,000, fewer above 3,200 dimensions, but 1,000 (or all).
std::size_t classifierRows(std::size_t rows, std::size_t dim) noexcept;

/// Classifier two-sample tests: a logistic regression is trained on half of the rows of both sets and tested on the
/// others, and the reverse. One is given the features, standardised over the rows of both sets (above 100 features: 100
/// whitened principal components of them), with the penalty of C = 1; one 30 whitened components, their squares and
/// products, standardised, with that of C = 0.03. The variance of an area is the mean of DeLong's in both folds: it is
/// not divided by their number, as their rows are the same ones exchanged. The result is equal, to the last bit, for
/// any number of threads on one kind of processor, and does not depend on the order of rows in the files.
/// @return no tests where a side has fewer than 40 rows @throws Cancelled, std::bad_alloc
/// Source: Lopez-Paz and Oquab, ICLR 2017; DeLong, DeLong and Clarke-Pearson, Biometrics 1988.
ToldApart toldApart(const ComparedRows& real, const ComparedRows& synthetic, const ComputeContext& context);

/// Accuracy that a classifier loses on real samples when trained on a synthetic set in place of as many real samples.
struct TrainingLoss {
    double syntheticAccuracy = 0.0; ///< trained on synthetic samples, tested on all real ones; in [0, 1]
    double realAccuracy = 0.0;      ///< trained on real samples, tested on the others; mean of 10 draws
    double realDeviation = 0.0;     ///< standard deviation of the draws
    std::size_t syntheticRows = 0;  ///< synthetic samples to train on
    std::size_t realRows = 0;       ///< real samples to train on: as many, but at most 80 % of `testedRows`
    std::size_t testedRows = 0;     ///< real samples that were tested, or drawn from

    double loss() const noexcept { return realAccuracy - syntheticAccuracy; }
    /// Lower bound of the loss, 2.6 standard deviations below it.
    double leastLoss() const noexcept;
    /// Whether the loss is sure and at least 2 %.
    bool isReported() const noexcept;
    /// Whether the loss is surely at least 5 %.
    bool marks() const noexcept;
};

/// Trains logistic regressions on standardised features (see trainClassifier()). The cost is bounded: rows come from
/// the start of the content order, at most 10,000 real ones to test and 5,000 of either side to train on, and fewer
/// where rows x features x classes exceed 2e7. The result does not depend on the order of the sets' rows,
/// unless equal rows have different classes.
/// @param real, synthetic labelled rows with codes of common labels, in content order
/// @return none unless the real rows have 2 to 30 classes and at most 500 features, or with fewer than 2 real rows or
/// no synthetic one
/// @throws Cancelled
std::optional<TrainingLoss> trainingLoss(const LabelledRows& real, const LabelledRows& synthetic,
                                         const ComputeContext& context);

} // namespace assay
