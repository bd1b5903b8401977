#include "engine/metrics/vendi.h"

#include "engine/stats/centre.h"
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

std::vector<double> inverseLengths(MatrixView set, std::span<const double> origin, unsigned threads,
                                   const JobContext& job) {
    std::vector<double> inverse = distancesTo(origin, set, threads, job);
    for (double& length : inverse)
        length = length > 0.0 ? 1.0 / length : 0.0;
    return inverse;
}

} // namespace

DoubleMatrix similarityMatrix(MatrixView set, unsigned threads, const JobContext& job) {
    const std::vector<double> origin(set.dim, 0.0);
    const std::vector<double> scale = inverseLengths(set, origin, threads, job.part({}, 0.0, 0.0));
    DoubleMatrix matrix;
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
