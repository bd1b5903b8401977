#include "engine/metrics/utility/regression.h"

#include "engine/math/statistics/nan.h"
#include "engine/metrics/tables/values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace assay {
namespace {

double r2Of(double meanSquaredError, double variance) {
    return variance > 0.0 ? 1.0 - meanSquaredError / variance : kNaN;
}

} // namespace

RegressionTest regress(const NumberedRows& training, const NumberedRows& test, const ComputeContext& context) {
    // Numbers of any size are learned as well as those about 1.
    const double mean = metrics::meanOf(training.numbers);
    double squares = 0.0;
    for (const double number : training.numbers)
        squares += (number - mean) * (number - mean);
    const double deviation = std::sqrt(squares / static_cast<double>(training.numbers.size()));
    const double unit = deviation > 0.0 ? deviation : 1.0;
    const LinearModel model = trainRegression(
        training.rows, metrics::mapped(training.numbers, [&](double number) { return (number - mean) / unit; }),
        context);
    std::vector<double> predicted;
    for (const float output : outputsOf(model, test.rows, context))
        predicted.push_back(mean + unit * static_cast<double>(output));
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
