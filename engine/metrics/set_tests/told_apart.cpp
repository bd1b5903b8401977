#include "engine/metrics/set_tests/told_apart.h"

#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/linear/pca.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/math/statistics/column_moments.h"
#include "engine/math/statistics/rank_statistics.h"
#include "engine/metrics/utility/linear_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
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

} // namespace assay
