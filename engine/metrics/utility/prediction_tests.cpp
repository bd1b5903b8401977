#include "engine/metrics/utility/prediction_tests.h"

#include "engine/base/parallel.h"
#include "engine/math/statistics/nan.h"
#include "engine/math/statistics/rank_statistics.h"
#include "engine/metrics/tables/values.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kStripes = 8; ///< groups of classes whose influences are summed apart

/// Area under the curve of one class against the rest, as its sum over the class's samples, and each sample's part.
struct AucSums {
    double sum = 0.0;
    std::vector<double> influence{};
};

/// Adds one class. The influence on sum_c p_c A_c, p_c the class's share: its placement for a sample of the class,
/// p_c / (1 - p_c) times what its placement differs from A_c by for another.
void addClass(AucSums& sums, std::span<const double> scores, std::span<const std::uint8_t> isOwn) {
    const std::vector<double> places = placements(scores, isOwn);
    const auto rows = static_cast<double>(places.size());
    double own = 0.0;
    double count = 0.0;
    for (std::size_t r = 0; r < places.size(); ++r)
        if (isOwn[r] != 0) {
            own += places[r];
            ++count;
        }
    const double share = count / rows;
    for (std::size_t r = 0; r < places.size(); ++r)
        sums.influence[r] += isOwn[r] != 0 ? places[r] : share / (1.0 - share) * (places[r] - own / count);
    sums.sum += own;
}

void findAuc(ClassifierTest& test, const ClassProbabilities& found, std::span<const std::uint32_t> code,
             std::size_t classes, const ComputeContext& context) {
    const std::size_t rows = code.size();
    std::vector<std::size_t> counts(classes, 0);
    for (const std::uint32_t own : code)
        ++counts[own];
    if (std::ranges::count_if(counts, [](std::size_t count) { return count > 0; }) < 2) {
        test.auc = kNaN;
        test.aucInfluence.assign(rows, kNaN);
        return;
    }
    std::array<AucSums, kStripes> stripes;
    parallelFor(kStripes, context.threads, context.job.silent(), [&](std::size_t stripe, unsigned) {
        AucSums& sums = stripes[stripe];
        sums.influence.assign(rows, 0.0);
        std::vector<double> scores(rows);
        std::vector<std::uint8_t> isOwn(rows);
        for (std::size_t c = stripe; c < classes; c += kStripes) {
            if (counts[c] == 0)
                continue;
            context.job.throwIfStopped();
            const auto at = std::ranges::lower_bound(found.known, static_cast<std::uint32_t>(c));
            const bool isKnown = at != found.known.end() && *at == c;
            const auto column = static_cast<std::size_t>(at - found.known.begin());
            for (std::size_t r = 0; r < rows; ++r) {
                scores[r] = isKnown ? static_cast<double>(found.values[r * found.known.size() + column]) : 0.0;
                isOwn[r] = code[r] == c ? 1 : 0;
            }
            addClass(sums, scores, isOwn);
        }
    });
    double sum = 0.0;
    test.aucInfluence.assign(rows, 0.0);
    for (const AucSums& stripe : stripes) {
        sum += stripe.sum;
        std::ranges::transform(test.aucInfluence, stripe.influence, test.aucInfluence.begin(), std::plus());
    }
    test.auc = sum / static_cast<double>(rows);
    for (double& influence : test.aucInfluence)
        influence -= test.auc;
}

} // namespace

ClassProbabilities classify(const StandardRows& training, std::span<const std::uint32_t> code,
                            const StandardRows& samples, const ComputeContext& context) {
    ClassProbabilities found;
    found.known.assign(code.begin(), code.end());
    std::ranges::sort(found.known);
    found.known.erase(std::unique(found.known.begin(), found.known.end()), found.known.end());
    std::vector<std::uint32_t> places;
    places.reserve(code.size());
    for (const std::uint32_t own : code)
        places.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(found.known, own) - found.known.begin()));
    const LinearModel model = trainClassifier(training, places, found.known.size(), context);
    found.values = outputsOf(model, samples, context);
    toProbabilities(found.values, found.known.size());
    found.converged = model.converged;
    return found;
}

ClassifierTest testOf(const ClassProbabilities& found, std::span<const std::uint32_t> code, std::size_t classes,
                      const ComputeContext& context) {
    ClassifierTest test;
    const std::size_t known = found.known.size();
    for (std::size_t r = 0; r < code.size(); ++r) {
        const float* row = found.values.data() + r * known;
        const std::uint32_t best = found.known[static_cast<std::size_t>(std::max_element(row, row + known) - row)];
        const auto own = std::ranges::lower_bound(found.known, code[r]);
        const bool isKnown = own != found.known.end() && *own == code[r];
        test.predicted.push_back(best);
        test.correct.push_back(best == code[r] ? 1.0 : 0.0);
        test.probability.push_back(isKnown ? static_cast<double>(row[own - found.known.begin()]) : 0.0);
    }
    test.accuracy = metrics::meanOf(test.correct);
    test.converged = found.converged;
    findAuc(test, found, code, classes, context);
    return test;
}

TestResamples resampled(const ClassifierTest& test, const Resampling& how, const JobContext& job) {
    const std::array columns{test.correct, test.aucInfluence};
    const std::vector<double> means = resampledMeans(columns, how, job);
    TestResamples result;
    for (std::size_t b = 0; b < how.count; ++b) {
        result.accuracy.push_back(means[2 * b]);
        result.auc.push_back(std::clamp(test.auc + means[2 * b + 1], 0.0, 1.0));
    }
    return result;
}

namespace {

double r2Of(double meanSquaredError, double variance) {
    return variance > 0.0 ? 1.0 - meanSquaredError / variance : kNaN;
}

} // namespace

RegressionTest regress(const NumberedRows& training, const NumberedRows& test, const ComputeContext& context) {
    // Numbers of any size are learned as well as those about 1.
    const metrics::Moments scale = metrics::momentsOf(training.numbers);
    const double unit = scale.deviation > 0.0 ? scale.deviation : 1.0;
    const LinearModel model = trainRegression(
        training.rows, metrics::mapped(training.numbers, [&](double number) { return (number - scale.mean) / unit; }),
        context);
    std::vector<double> predicted;
    for (const float output : outputsOf(model, test.rows, context))
        predicted.push_back(scale.mean + unit * static_cast<double>(output));
    RegressionTest result = compared(std::move(predicted), test.numbers);
    result.converged = model.converged;
    return result;
}

RegressionTest compared(std::vector<double> predicted, std::span<const double> actual) {
    RegressionTest test;
    const double mean = metrics::meanOf(actual);
    double squares = 0.0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        test.squaredError.push_back((predicted[i] - actual[i]) * (predicted[i] - actual[i]));
        squares += (actual[i] - mean) * (actual[i] - mean);
    }
    test.r2 = r2Of(metrics::meanOf(test.squaredError), squares / static_cast<double>(actual.size()));
    test.predicted = std::move(predicted);
    return test;
}

std::vector<double> resampledR2(const RegressionTest& test, std::span<const double> actual, const Resampling& how,
                                const JobContext& job) {
    const double mean = metrics::meanOf(actual);
    std::array<std::vector<double>, 3> columns{test.squaredError, {}, {}};
    for (const double number : actual) {
        columns[1].push_back(number - mean);
        columns[2].push_back((number - mean) * (number - mean));
    }
    const std::vector<double> means = resampledMeans(columns, how, job);
    std::vector<double> values;
    for (std::size_t b = 0; b < how.count; ++b) {
        const double* const row = means.data() + 3 * b;
        values.push_back(r2Of(row[0], row[2] - row[1] * row[1]));
    }
    return values;
}

} // namespace assay
