#include "engine/knn/product_bounds.h"

#include "engine/job/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

constexpr std::size_t kRowsPerTask = 256;
// Products of scaled coordinates below 2^-126 may be flushed to zero; a sum of d of them stays below d * 2^-124.
constexpr double kUnderflow = 0x1p-124;

std::size_t tasksFor(std::size_t rows) {
    return (rows + kRowsPerTask - 1) / kRowsPerTask;
}

std::vector<double> meanOf(MatrixView set, unsigned threads, const JobContext& job) {
    // Partial sums per task, added in task order: the same mean whatever the number of threads.
    const std::size_t tasks = tasksFor(set.rows);
    const std::size_t step = std::max<std::size_t>(1, tasks / 64); // a sample of the rows is centre enough
    const std::size_t used = (tasks + step - 1) / step;
    std::vector<std::vector<double>> partial(used, std::vector<double>(set.dim, 0.0));
    std::vector<std::size_t> counted(used, 0);
    parallelFor(used, threads, job, [&](std::size_t t, unsigned) {
        const std::size_t first = t * step * kRowsPerTask;
        const std::size_t last = std::min(set.rows, first + kRowsPerTask);
        for (std::size_t r = first; r < last; ++r)
            for (std::size_t c = 0; c < set.dim; ++c)
                partial[t][c] += static_cast<double>(set.rowData(r)[c]);
        counted[t] = last - first;
    });
    std::vector<double> mean(set.dim, 0.0);
    std::size_t rows = 0;
    for (std::size_t t = 0; t < used; ++t) {
        rows += counted[t];
        for (std::size_t c = 0; c < set.dim; ++c)
            mean[c] += partial[t][c];
    }
    for (double& m : mean)
        m /= static_cast<double>(std::max<std::size_t>(rows, 1));
    return mean;
}

double largestCoordinate(MatrixView set, const std::vector<double>& centre, unsigned threads, const JobContext& job) {
    std::vector<double> largest(tasksFor(set.rows), 0.0);
    parallelFor(largest.size(), threads, job, [&](std::size_t t, unsigned) {
        const std::size_t last = std::min(set.rows, (t + 1) * kRowsPerTask);
        double most = 0.0;
        for (std::size_t r = t * kRowsPerTask; r < last; ++r)
            for (std::size_t c = 0; c < set.dim; ++c)
                most = std::max(most, std::abs(static_cast<double>(set.rowData(r)[c]) - centre[c]));
        largest[t] = most;
    });
    return largest.empty() ? 0.0 : *std::max_element(largest.begin(), largest.end());
}

} // namespace

float roundUp(double value) {
    const float rounded = static_cast<float>(value);
    return std::nextafter(static_cast<double>(rounded) < value
                              ? std::nextafter(rounded, std::numeric_limits<float>::infinity())
                              : rounded,
                          std::numeric_limits<float>::infinity());
}

float roundDown(double value) {
    return -roundUp(-value);
}

Frame Frame::of(MatrixView base, std::initializer_list<MatrixView> sets, unsigned threads, const JobContext& job) {
    Frame frame;
    frame.centre = meanOf(base, threads, job.part({}, 0.0, 0.3));
    double largest = 0.0;
    double done = 0.3;
    const double step = 0.7 / static_cast<double>(sets.size());
    for (const MatrixView& set : sets) {
        largest = std::max(largest, largestCoordinate(set, frame.centre, threads, job.part({}, done, done + step)));
        done += step;
    }
    if (largest > 0.0) {
        int exponent = 0;
        std::frexp(largest, &exponent); // largest <= 2^exponent
        frame.scale = std::ldexp(1.0, -exponent);
    }
    return frame;
}

ProductOperand ProductOperand::of(MatrixView set, const Frame& frame, unsigned threads, const JobContext& job) {
    ProductOperand operand;
    operand.rows = set.rows;
    operand.dim = set.dim;
    operand.values = std::make_unique_for_overwrite<float[]>(set.rows * set.dim);
    operand.lowTerm.resize(set.rows);
    operand.slack.resize(set.rows);

    constexpr double u = 0x1p-24;
    const double n = static_cast<double>(set.dim) * u;
    const double kappa = n / (1.0 - n) + 16.0 * u;
    const double underflow = static_cast<double>(set.dim + 8) * kUnderflow;
    parallelFor(tasksFor(set.rows), threads, job, [&](std::size_t t, unsigned) {
        const std::size_t last = std::min(set.rows, (t + 1) * kRowsPerTask);
        for (std::size_t r = t * kRowsPerTask; r < last; ++r) {
            const float* from = set.rowData(r);
            float* to = operand.values.get() + r * set.dim;
            double norm = 0.0;
            for (std::size_t c = 0; c < set.dim; ++c) {
                to[c] = static_cast<float>((static_cast<double>(from[c]) - frame.centre[c]) * frame.scale);
                norm += static_cast<double>(to[c]) * static_cast<double>(to[c]);
            }
            operand.lowTerm[r] = roundDown(norm * (1.0 - kappa) - underflow);
            operand.slack[r] = roundUp(norm * (2.0 * kappa + 4.0 * u) + 4.0 * underflow);
        }
    });
    return operand;
}

} // namespace assay
