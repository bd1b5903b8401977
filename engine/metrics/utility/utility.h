#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/embedding_set.h"
#include "engine/math/statistics/column_moments.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/metrics/utility/labels.h"
#include "engine/metrics/utility/prediction_tests.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Utility: scores on real data of a model trained on the synthetic set. Alaa et al., ICML 2022, section 5.1.

namespace assay {

/// How often test samples of one class were taken for another, or for their own.
struct Confusion {
    std::uint32_t actual = 0;    ///< index into UtilityReport::classes
    std::uint32_t predicted = 0; ///< index into UtilityReport::classes
    std::uint32_t count = 0;     ///< above 0

    friend bool operator==(const Confusion&, const Confusion&) = default;
};

/// Utility of one class of the test set.
struct ClassUtility {
    std::uint32_t label = 0;    ///< index into UtilityReport::classes
    std::uint32_t tested = 0;   ///< test samples of the class
    std::uint32_t training = 0; ///< synthetic samples of the class
    double accuracy = 0.0;      ///< share of them that the classifier trained on the synthetic set gets right
    double realAccuracy = 0.0;  ///< the same trained on the real set

    friend bool operator==(const ClassUtility&, const ClassUtility&) = default;
};

/// Utility of a model as an audit stores it, besides metrics and columns.
struct UtilityReport {
    std::string whyNot;        ///< why there is no utility, in a sentence; empty if there is or it was not computed
    std::string testedOn;      ///< "held_out" or "real"; empty without utility
    std::size_t trainedOn = 0; ///< synthetic samples with a label
    std::size_t tested = 0;    ///< test samples with a label
    bool converged = true;     ///< whether every training reached its tolerance
    std::vector<std::string> classes;  ///< names; empty for numbers
    std::vector<ClassUtility> byClass; ///< classes of the test set, in the order of `classes`
    std::vector<Confusion>
        confusion; ///< by actual, then predicted class; for the classifier trained on the synthetic set

    /// Whether utility was computed, or found to be impossible.
    bool isKnown() const { return !whyNot.empty() || !testedOn.empty(); }
    /// Whether there is utility.
    bool exists() const { return !testedOn.empty(); }
};

/// Why there is no utility, for people; a sentence without the names of files.
namespace no_utility {
inline constexpr std::string_view kNoRealLabels = "The real set has no labels.";
inline constexpr std::string_view kNoLabels = "The synthetic set has no labels.";
inline constexpr std::string_view kOneRealClass = "The real set has one class only.";
inline constexpr std::string_view kOneClass = "The synthetic set has one class only.";
inline constexpr std::string_view kNothingInCommon = "The labels of the two sets have no class in common.";
inline constexpr std::string_view kNoClasses = "Almost every real sample has a label of its own.";
inline constexpr std::string_view kNotNumbers = "The real labels are numbers; some of the synthetic ones are not.";
inline constexpr std::string_view kSameNumber = "All labels are the same number.";
inline constexpr std::string_view kFewSamples = "Too few samples have a label.";
inline constexpr std::string_view kTooLong =
    "There are too many samples, features and classes to train classifiers within an audit. Fewer of any have it.";
} // namespace no_utility

/// Where models are tested.
enum class TestedOn { HeldOut, Real };

/// A model trained on the real set, and where it was tested. Computed once and shared by every model.
struct RealUtility {
    std::string_view whyNot{}; ///< why there is none; empty otherwise, and only then the rest is set
    LabelKind kind = LabelKind::Classes;
    TestedOn testedOn = TestedOn::Real;
    std::shared_ptr<const EmbeddingSet> real;
    std::shared_ptr<const EmbeddingSet> test; ///< the held-out set, or the real set
    ColumnMoments moments;                    ///< of the real set; features are standardised by them
    /// Trained on the real set and tested on the held-out set, or in 5 seeded folds. One entry per labelled test
    /// sample.
    ClassifierTest classes;
    RegressionTest numbers;
};

/// All of RealUtility but the model trained on the real set: what syntheticUtility() needs.
/// @param heldOut null without one
/// @throws Cancelled
RealUtility utilityBasis(const std::shared_ptr<const EmbeddingSet>& real,
                         const std::shared_ptr<const EmbeddingSet>& heldOut, const ComputeContext& context);

/// @param heldOut null without one
/// @throws Cancelled
RealUtility realUtility(const std::shared_ptr<const EmbeddingSet>& real,
                        const std::shared_ptr<const EmbeddingSet>& heldOut, const ComputeContext& context);

/// A classifier trained on a synthetic set.
struct UtilityScores {
    static constexpr std::size_t kTest = 0; ///< place of the test set in `labels`
    static constexpr std::size_t kReal = 1;
    static constexpr std::size_t kTraining = 2; ///< place of the synthetic set

    std::shared_ptr<const RealUtility> byReal;
    CommonLabels labels;       ///< of the test set, the real set and the synthetic set, in this order
    ClassifierTest test;       ///< one entry per labelled test sample
    ClassifierTest realTest;   ///< one entry per labelled real sample
    std::size_t trainedOn = 0; ///< number of labelled synthetic samples
};

/// Ridge regression trained on a synthetic set.
struct NumberUtilityScores {
    std::shared_ptr<const RealUtility> byReal;
    RegressionTest test; ///< one entry per labelled test sample
    std::vector<double> actual;
    std::size_t trainedOn = 0;
};

/// Utility of one synthetic set: one of the two, or neither and the reason.
struct SyntheticUtility {
    std::string_view whyNot{};
    std::shared_ptr<const UtilityScores> classes;
    std::shared_ptr<const NumberUtilityScores> numbers;
};

/// @param byReal its reason is handed on if it has one
/// @param kept the rows to train on, ascending; empty for all rows
/// @throws Cancelled
SyntheticUtility syntheticUtility(const std::shared_ptr<const RealUtility>& byReal, const EmbeddingSet& synthetic,
                                  const ComputeContext& context, std::span<const std::uint32_t> kept = {});

/// Upper bound in bytes of the memory for training and testing.
/// @param training, tested numbers of rows @param classes 1 for numbers
std::size_t utilityBytes(std::size_t training, std::size_t tested, std::size_t dim, std::size_t classes);

namespace metrics {

double utilityAccuracy(const MetricInputs& in);
double utilityAuc(const MetricInputs& in);
double realUtilityAccuracy(const MetricInputs& in);
double realUtilityAuc(const MetricInputs& in);
double utilityR2(const MetricInputs& in);
double realUtilityR2(const MetricInputs& in);
/// N values; NaN for real samples without a class.
std::vector<double> utilityCorrect(const MetricInputs& in);
std::vector<double> utilityProbability(const MetricInputs& in);

// Resampled values, for intervals. Samples of the test set are drawn with replacement; the draws are equal for every
// model and for the one trained on the real set.
enum class TrainedOn { Synthetic, Real };
TestResamples resampledUtility(const MetricInputs& in, const Resampling& how, TrainedOn set);
std::vector<double> resampledUtilityR2(const MetricInputs& in, const Resampling& how, TrainedOn set);

} // namespace metrics

/// @param real what the model trained on the real set did
UtilityReport reportOf(const SyntheticUtility& utility, const RealUtility& real);

} // namespace assay
