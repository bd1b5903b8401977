#include "engine/metrics/set_tests/useless.h"

#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/metrics/utility/prediction_tests.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

namespace assay {
namespace {

constexpr std::size_t kTrainingDraws = 10;
constexpr std::size_t kMinClasses = 2;
constexpr std::size_t kMaxClasses = 30;
constexpr std::size_t kMaxFeatures = 500;
constexpr std::size_t kMaxTested = 10'000;
constexpr std::size_t kMaxTraining = 5'000;
constexpr double kMaxProducts = 2e7; ///< of rows, features and classes
constexpr double kSureDeviations = 2.6;
constexpr double kMinReported = 0.02;
constexpr double kMinMarking = 0.05;

/// Standardised rows and their classes.
struct Examples {
    StandardRows rows;
    std::vector<std::uint32_t> code;
};

Examples chosenExamples(const Examples& from, std::span<const std::uint32_t> places) {
    Examples some{
        {gatherRows({from.rows.values.data(), from.rows.rows, from.rows.dim}, places), places.size(), from.rows.dim},
        {}};
    for (const std::uint32_t place : places)
        some.code.push_back(from.code[place]);
    return some;
}

/// Share of the tested rows whose class is the most probable one.
double accuracyOf(const ClassProbabilities& found, std::span<const std::uint32_t> code) {
    const std::size_t known = found.known.size();
    std::size_t right = 0;
    for (std::size_t r = 0; r < code.size(); ++r) {
        const float* row = found.values.data() + r * known;
        right += found.known[static_cast<std::size_t>(std::max_element(row, row + known) - row)] == code[r] ? 1 : 0;
    }
    return static_cast<double>(right) / static_cast<double>(code.size());
}

double accuracy(const Examples& training, const Examples& tested, const ComputeContext& context) {
    if (std::ranges::count(training.code, training.code.front()) == std::ssize(training.code)) // nothing to train
        return static_cast<double>(std::ranges::count(tested.code, training.code.front())) /
               static_cast<double>(tested.code.size());
    return accuracyOf(classify(training.rows, training.code, tested.rows, context), tested.code);
}

/// The first rows under codes 0 .. classes - 1 of the real classes, all other classes having the code `classes`.
Examples firstExamples(const LabelledRows& labelled, std::size_t rows, std::span<const std::uint32_t> realClasses,
                       const ColumnMoments& reference, const ComputeContext& context) {
    Examples examples{
        StandardRows::of(labelled.compared.set, std::span(labelled.compared.rows).first(rows), reference, context), {}};
    for (const std::uint32_t code : std::span(labelled.code).first(rows)) {
        const auto place = std::ranges::lower_bound(realClasses, code);
        const bool isReal = place != realClasses.end() && *place == code;
        examples.code.push_back(static_cast<std::uint32_t>((isReal ? place : realClasses.end()) - realClasses.begin()));
    }
    return examples;
}

std::vector<std::uint32_t> differentCodes(std::vector<std::uint32_t> code) {
    std::ranges::sort(code);
    code.erase(std::unique(code.begin(), code.end()), code.end());
    return code;
}

ColumnMoments momentsOfFirst(const ComparedRows& compared, std::size_t rows, const ComputeContext& context) {
    const std::vector<float> values = gatherRows(compared.set, std::span(compared.rows).first(rows));
    return columnMoments({values.data(), rows, compared.set.dim}, context.threads, context.job.silent());
}

/// Accuracies of classifiers trained on drawn real rows and tested on the others; last, of the one trained on the
/// synthetic rows.
std::vector<double> allAccuracies(const Examples& real, const Examples& synthetic, std::size_t realRows,
                                  const ComputeContext& context) {
    const std::uint64_t seed = streamSeed(context.seed, "training loss");
    const ComputeContext inner{context.seed, 1, context.job.silent()};
    std::vector<double> accuracies(kTrainingDraws + 1);
    parallelFor(accuracies.size(), context.threads, context.job, [&](std::size_t draw, unsigned) {
        if (draw == kTrainingDraws) {
            accuracies[draw] = accuracy(synthetic, real, inner);
            return;
        }
        const std::vector<std::uint32_t> order = Random::forItem(seed, draw).order(real.code.size());
        accuracies[draw] = accuracy(chosenExamples(real, std::span(order).first(realRows)),
                                    chosenExamples(real, std::span(order).subspan(realRows)), inner);
    });
    return accuracies;
}

} // namespace

double TrainingLoss::leastLoss() const noexcept {
    return loss() - kSureDeviations * std::sqrt(0.25 / static_cast<double>(testedRows) + realDeviation * realDeviation);
}

bool TrainingLoss::isReported() const noexcept {
    return leastLoss() > 0.0 && loss() >= kMinReported;
}

bool TrainingLoss::marks() const noexcept {
    return isReported() && leastLoss() >= kMinMarking;
}

std::optional<TrainingLoss> trainingLoss(const LabelledRows& real, const LabelledRows& synthetic,
                                         const ComputeContext& context) {
    const std::vector<std::uint32_t> classes = differentCodes(real.code);
    const std::size_t dim = real.compared.set.dim;
    if (classes.size() < kMinClasses || classes.size() > kMaxClasses || dim > kMaxFeatures || synthetic.code.empty())
        return std::nullopt;
    const auto affordable = static_cast<std::size_t>(kMaxProducts / static_cast<double>(dim * classes.size()));
    TrainingLoss result;
    result.testedRows = std::min(real.code.size(), kMaxTested);
    result.syntheticRows = std::min({synthetic.code.size(), kMaxTraining, affordable});
    result.realRows = std::min(result.syntheticRows, result.testedRows * 4 / 5);
    const ColumnMoments moments = momentsOfFirst(real.compared, result.testedRows, context);
    const Examples ofReal = firstExamples(real, result.testedRows, classes, moments, context);
    const Examples ofSynthetic = firstExamples(synthetic, result.syntheticRows, classes, moments, context);

    std::vector<double> accuracies = allAccuracies(ofReal, ofSynthetic, result.realRows, context);
    result.syntheticAccuracy = accuracies.back();
    accuracies.pop_back();
    constexpr auto kCount = static_cast<double>(kTrainingDraws);
    result.realAccuracy = std::accumulate(accuracies.begin(), accuracies.end(), 0.0) / kCount;
    for (const double drawn : accuracies)
        result.realDeviation += (drawn - result.realAccuracy) * (drawn - result.realAccuracy) / (kCount - 1.0);
    result.realDeviation = std::sqrt(result.realDeviation);
    return result;
}

} // namespace assay
