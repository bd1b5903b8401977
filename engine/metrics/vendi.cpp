#include "engine/metrics/vendi.h"

#include "engine/stats/dense_product.h"
#include "engine/stats/symmetric_eigenvalues.h"

#include <cmath>
#include <limits>
#include <vector>

namespace assay {
namespace {

std::vector<double> inverseLengths(MatrixView set) {
    std::vector<double> inverse(set.rows, 0.0);
    for (std::size_t r = 0; r < set.rows; ++r) {
        double square = 0.0;
        for (const float x : set.row(r))
            square += static_cast<double>(x) * static_cast<double>(x);
        if (square > 0.0)
            inverse[r] = 1.0 / std::sqrt(square);
    }
    return inverse;
}

} // namespace

DoubleMatrix similarityMatrix(MatrixView set, unsigned threads, const JobContext& job) {
    const std::vector<double> origin(set.dim, 0.0);
    const std::vector<double> scale = inverseLengths(set);
    DoubleMatrix matrix =
        gramOf(set.rows <= set.dim ? rowsOf(set, origin, scale) : columnsOf(set, origin, scale), threads, job);
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
