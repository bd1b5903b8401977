#include "engine/metrics/vendi.h"

#include "engine/job/parallel.h"
#include "engine/stats/dense_product.h"
#include "engine/stats/float_gram.h"
#include "engine/stats/gaussian_fit.h"
#include "engine/stats/symmetric_eigenvalues.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace assay {
namespace {

std::vector<double> inverseLengths(MatrixView set, unsigned threads, const JobContext& job) {
    constexpr std::size_t kRowsPerTask = 256;
    std::vector<double> inverse(set.rows, 0.0);
    parallelFor((set.rows + kRowsPerTask - 1) / kRowsPerTask, threads, job, [&](std::size_t task, unsigned) {
        for (std::size_t r = task * kRowsPerTask; r < std::min(set.rows, (task + 1) * kRowsPerTask); ++r) {
            double square = 0.0;
            for (const float x : set.row(r))
                square += static_cast<double>(x) * static_cast<double>(x);
            if (square > 0.0)
                inverse[r] = 1.0 / std::sqrt(square);
        }
    });
    return inverse;
}

} // namespace

DoubleMatrix similarityMatrix(MatrixView set, unsigned threads, const JobContext& job) {
    const std::vector<double> scale = inverseLengths(set, threads, job.part({}, 0.0, 0.0));
    DoubleMatrix matrix;
    const std::vector<double> origin(set.dim, 0.0);
    if (set.rows <= set.dim || set.dim < kFewColumns) {
        matrix = gramOf(set.rows <= set.dim ? rowsOf(set, origin, scale) : columnsOf(set, origin, scale), threads, job);
    } else {
        // What all rows have in common is taken off before single precision and put back after it.
        const std::vector<double> mean = columnMeans(set, scale, threads, job.part({}, 0.0, 0.1));
        matrix = floatGram(set, mean, scale, threads, job.part({}, 0.1, 1.0));
        for (std::size_t i = 0; i < set.dim; ++i)
            for (std::size_t j = 0; j <= i; ++j)
                matrix.at(i, j) += static_cast<double>(set.rows) * mean[i] * mean[j];
    }
    for (double& value : matrix.values)
        value /= static_cast<double>(set.rows);
    return matrix;
}

double vendiScore(std::span<const double> eigenvalues) {
    double entropy = 0.0;
    bool any = false;
    for (const double value : eigenvalues)
        if (value > 0.0) {
            entropy -= value * std::log(value);
            any = true;
        }
    return any ? std::exp(entropy) : std::numeric_limits<double>::quiet_NaN();
}

double vendiScore(MatrixView set, unsigned threads, const JobContext& job) {
    return vendiScore(symmetricEigenvalues(similarityMatrix(set, threads, job), job));
}

} // namespace assay
