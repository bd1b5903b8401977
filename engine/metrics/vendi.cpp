#include "engine/metrics/vendi.h"

#include "engine/stats/accelerator.h"
#include "engine/stats/centre.h"
#include "engine/stats/dense_product.h"
#include "engine/stats/float_gram.h"
#include "engine/stats/lower_triangle.h"
#include "engine/stats/symmetric_eigenvalues.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace assay {
namespace {

/// Inner products of the columns of the rows at unit length, the lower triangle.
DoubleMatrix columnProducts(MatrixView set, const RowSummary& summary, unsigned threads, const JobContext& job) {
    const std::vector<double>& scale = summary.inverseLength;
    if (set.dim < kFewColumns) {
        const std::vector<double> origin(set.dim, 0.0);
        return gramOf(columnsOf(set, origin, scale), threads, job);
    }
    // What all rows have in common is taken off before single precision and put back after it.
    const std::vector<double>& mean = summary.meanDirection;
    DoubleMatrix matrix = floatGram(set, mean, scale, threads, job);
    const auto rows = static_cast<double>(set.rows);
    changeLowerTriangle(matrix, threads, job.part({}, 1.0, 1.0), [&](std::size_t i, std::size_t j, double product) {
        return product + rows * mean[i] * mean[j];
    });
    return matrix;
}

} // namespace

DoubleMatrix similarityMatrix(MatrixView set, const RowSummary& summary, unsigned threads, const JobContext& job,
                              const Accelerator* accelerator) {
    const std::vector<double> origin(set.dim, 0.0);
    const std::vector<double>& scale = summary.inverseLength;
    DoubleMatrix matrix;
    if (set.rows <= set.dim)
        matrix = gramOf(rowsOf(set, origin, scale), threads, job);
    else if (auto product = accelerator != nullptr ? accelerator->gram(set, origin, scale, job) : std::nullopt)
        matrix = std::move(*product);
    else
        matrix = columnProducts(set, summary, threads, onTheCpu(job, accelerator));
    const auto rows = static_cast<double>(set.rows);
    changeLowerTriangle(matrix, threads, job.part({}, 1.0, 1.0),
                        [rows](std::size_t, std::size_t, double product) { return product / rows; });
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
    const RowSummary summary = summarizeRows(set, threads, job.part({}, 0.0, 0.0));
    return vendiScore(symmetricEigenvalues(similarityMatrix(set, summary, threads, job), job));
}

} // namespace assay
