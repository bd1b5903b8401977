#pragma once

#include "engine/base/compute_context.h"
#include "engine/metrics/utility/labels.h"

#include <cstddef>
#include <optional>

namespace assay {

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
