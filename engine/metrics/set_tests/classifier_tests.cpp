#include "engine/metrics/set_tests/classifier_tests.h"

#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/data/matrix_view.h"
#include "engine/math/linear/pca.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/math/statistics/column_moments.h"
#include "engine/math/statistics/rank_statistics.h"
#include "engine/metrics/utility/linear_model.h"
#include "engine/metrics/utility/prediction_tests.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kMinClassifierRows = 40;
constexpr std::size_t kMaxDirectFeatures = 100; // and components of wider sets
constexpr std::size_t kMultipliedComponents = 30;
constexpr std::size_t kStandardRowsAtOnce = 256;
/// AUCs differ in the fourth digit from those of a gradient of 1e-6.
constexpr double kClassifierTolerance = 1e-3;

/// Rows of both sets in the order of their folds, and their labels.
struct FoldRows {
    StandardRows rows;
    std::vector<std::uint8_t> isSynthetic; ///< per row
    std::size_t firstOfSecondFold = 0;

    /// The rows [first, last) of a fold.
    std::pair<std::size_t, std::size_t> fold(std::size_t index) const {
        return index == 0 ? std::pair{std::size_t{0}, firstOfSecondFold} : std::pair{firstOfSecondFold, rows.rows};
    }
};

/// Both sets' rows, a random half of each first.
FoldRows inFolds(const ComparedRows& real, const ComparedRows& synthetic, std::uint64_t seed) {
    const std::size_t dim = real.set.dim;
    Random random(streamSeed(seed, "classifier folds"));
    const std::array<const ComparedRows*, 2> sets{&real, &synthetic};
    std::array<std::vector<std::uint32_t>, 2> order;
    for (std::size_t side = 0; side < sets.size(); ++side)
        order[side] = random.order(classifierRows(sets[side]->size(), dim));
    FoldRows result;
    result.rows = {{}, order[0].size() + order[1].size(), dim};
    result.rows.values.reserve(result.rows.rows * dim);
    for (const std::size_t fold : {0U, 1U}) {
        for (std::size_t side = 0; side < sets.size(); ++side) {
            const std::size_t half = (order[side].size() + 1) / 2;
            const auto positions =
                std::span(order[side]).subspan(fold * half, fold == 0 ? half : order[side].size() - half);
            for (const std::uint32_t position : positions) {
                const auto row = sets[side]->row(position);
                result.rows.values.insert(result.rows.values.end(), row.begin(), row.end());
            }
            result.isSynthetic.insert(result.isSynthetic.end(), positions.size(), static_cast<std::uint8_t>(side));
        }
        if (fold == 0)
            result.firstOfSecondFold = result.isSynthetic.size();
    }
    return result;
}

/// Gives each column mean 0 and variance 1; constant columns are only moved.
void standardise(StandardRows& rows, const ComputeContext& context) {
    const ColumnMoments moments =
        columnMoments({rows.values.data(), rows.rows, rows.dim}, context.threads, context.job.silent());
    parallelRanges(rows.rows, kStandardRowsAtOnce, context.threads, context.job.silent(),
                   [&](std::size_t first, std::size_t last, unsigned) {
                       for (std::size_t r = first; r < last; ++r)
                           for (std::size_t c = 0; c < rows.dim; ++c) {
                               float& value = rows.values[r * rows.dim + c];
                               const double deviation = moments.deviation[c] > 0.0 ? moments.deviation[c] : 1.0;
                               value = static_cast<float>((static_cast<double>(value) - moments.mean[c]) / deviation);
                           }
                   });
}

/// The first components, their squares and their products, standardised.
StandardRows productsOf(const WhitenedComponents& components, const ComputeContext& context) {
    const std::size_t count = std::min(components.count, kMultipliedComponents);
    StandardRows result{{}, components.rows, count + count * (count + 1) / 2};
    result.values.resize(result.rows * result.dim);
    parallelRanges(result.rows, kStandardRowsAtOnce, context.threads, context.job.silent(),
                   [&](std::size_t first, std::size_t last, unsigned) {
                       for (std::size_t r = first; r < last; ++r) {
                           const float* from = components.values.data() + r * components.count;
                           float* to = std::copy_n(from, count, result.values.data() + r * result.dim);
                           for (std::size_t a = 0; a < count; ++a)
                               for (std::size_t b = a; b < count; ++b)
                                   *to++ = from[a] * from[b];
                       }
                   });
    standardise(result, context);
    return result;
}

StandardRows rowsInFold(const StandardRows& rows, std::pair<std::size_t, std::size_t> range) {
    const auto at = [&](std::size_t row) { return rows.values.begin() + static_cast<std::ptrdiff_t>(row * rows.dim); };
    return {{at(range.first), at(range.second)}, range.second - range.first, rows.dim};
}

/// A classifier of one fold, tested on the other one.
struct FoldTest {
    RocArea roc;
    std::vector<double> weights; ///< per column, of "synthetic" less "real"
};

FoldTest testFold(const StandardRows& rows, const FoldRows& labels, std::size_t tested, double penalty,
                  const ComputeContext& context) {
    const auto training = labels.fold(1 - tested);
    const auto testing = labels.fold(tested);
    const std::vector<std::uint32_t> code(labels.isSynthetic.begin() + static_cast<std::ptrdiff_t>(training.first),
                                          labels.isSynthetic.begin() + static_cast<std::ptrdiff_t>(training.second));
    const LinearModel model = trainClassifier(rowsInFold(rows, training), code, 2, context,
                                              {.penalty = penalty, .tolerance = kClassifierTolerance});
    const std::vector<float> outputs = outputsOf(model, rowsInFold(rows, testing), context);
    std::vector<double> scores;
    for (std::size_t r = 0; 2 * r < outputs.size(); ++r)
        scores.push_back(static_cast<double>(outputs[2 * r + 1]) - static_cast<double>(outputs[2 * r]));
    FoldTest result{rocArea(scores, std::span(labels.isSynthetic).subspan(testing.first, scores.size())),
                    std::vector<double>(rows.dim)};
    for (std::size_t c = 0; c < rows.dim; ++c)
        result.weights[c] = model.weights[rows.dim + 1 + c] - model.weights[c];
    return result;
}

/// Column of the largest weight, both folds together.
std::uint32_t largestWeight(std::span<const double> first, std::span<const double> second) {
    std::uint32_t column = 0;
    double largest = -1.0;
    for (std::size_t c = 0; c < first.size(); ++c)
        if (const double weight = std::abs(first[c]) + std::abs(second[c]); weight > largest) {
            largest = weight;
            column = static_cast<std::uint32_t>(c);
        }
    return column;
}

SeparationTest testSeparation(SeparationTest::Input input, const StandardRows& rows, const FoldRows& labels,
                              const ComputeContext& context) {
    const double penalty = input == SeparationTest::Input::Products ? 1.0 / 0.03 : 1.0;
    const FoldTest first = testFold(rows, labels, 0, penalty, context.part(0.0, 0.5));
    const FoldTest second = testFold(rows, labels, 1, penalty, context.part(0.5, 1.0));
    SeparationTest result{.input = input};
    result.area = 0.5 * (first.roc.area + second.roc.area);
    result.deviation = std::sqrt(0.5 * (first.roc.variance + second.roc.variance));
    // Classes that are split without an error have no variance.
    const double deviations = (result.area - 0.5) / std::max(result.deviation, 1e-6);
    result.pValue = 0.5 * std::erfc(deviations / std::numbers::sqrt2);
    if (input == SeparationTest::Input::Features)
        result.feature = largestWeight(first.weights, second.weights);
    return result;
}

} // namespace

std::size_t classifierRows(std::size_t rows, std::size_t dim) noexcept {
    constexpr std::size_t kMaxRows = 5'000;
    constexpr std::size_t kMinOfWideSets = 1'000;
    constexpr std::size_t kMaxValues = 16'000'000; // 64 MB
    return std::min(rows, std::clamp(kMaxValues / dim, kMinOfWideSets, kMaxRows));
}

std::optional<SeparationTest> ToldApart::strongest() const {
    std::optional<SeparationTest> best;
    for (const SeparationTest& test : tests)
        if (test.isSure() && (!best || test.area > best->area))
            best = test;
    return best;
}

ToldApart toldApart(const ComparedRows& real, const ComparedRows& synthetic, const ComputeContext& context) {
    ToldApart result{.realRows = classifierRows(real.size(), real.set.dim),
                     .syntheticRows = classifierRows(synthetic.size(), real.set.dim)};
    if (std::min(result.realRows, result.syntheticRows) < kMinClassifierRows)
        return result;
    FoldRows labels = inFolds(real, synthetic, context.seed);
    context.job.throwIfStopped();
    standardise(labels.rows, context);
    const bool isWide = labels.rows.dim > kMaxDirectFeatures;
    ComputeContext ofComponents = context.part(0.0, 0.5);
    ofComponents.seed = streamSeed(context.seed, "leading components");
    WhitenedComponents components =
        whitenedComponents({labels.rows.values.data(), labels.rows.rows, labels.rows.dim},
                           isWide ? kMaxDirectFeatures : kMultipliedComponents, ofComponents);
    if (components.count == 0) // all rows are equal
        return result;
    const StandardRows products = productsOf(components, context);
    if (isWide)
        labels.rows = {std::move(components.values), components.rows, components.count};
    using Input = SeparationTest::Input;
    result.tests.push_back(
        testSeparation(isWide ? Input::Components : Input::Features, labels.rows, labels, context.part(0.5, 0.6)));
    result.tests.push_back(testSeparation(Input::Products, products, labels, context.part(0.6, 1.0)));
    return result;
}

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
