#include "engine/math/statistics/bootstrap.h"

#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/products/double_matrix.h"
#include "engine/math/products/one_blas_thread.h"
#include "engine/math/statistics/nan.h"
#include "engine/math/statistics/quantile.h"

#include <algorithm>
#include <cblas.h>
#include <cmath>
#include <limits>

namespace assay {
namespace {

constexpr std::size_t kResamplesPerTask = 16;
constexpr std::size_t kRowsPerBlock = 1024; // between two looks at the stop token

/// Draws `rows` times with replacement from `rows` rows; counts[row] is the number of draws of each.
void draw(std::uint16_t* counts, std::size_t rows, std::uint64_t seed) {
    Random random(seed);
    const auto take = [&](std::uint64_t half) { ++counts[(half * rows) >> 32]; };
    for (std::size_t drawn = 0; drawn + 1 < rows; drawn += 2) {
        const std::uint64_t both = random.next();
        take(both >> 32);
        take(both & 0xFFFFFFFF);
    }
    if (rows % 2 == 1)
        take(random.next() >> 32);
}

/// Sums of the columns in each resample of one task.
/// @param counts draws per row in the task's resamples, kResamplesPerTask x rows
/// @param values columns x rows
/// @return kResamplesPerTask x columns
DoubleMatrix resampledSums(const std::vector<std::uint16_t>& counts, const DoubleMatrix& values,
                           const JobContext& job) {
    const std::size_t rows = values.columns;
    DoubleMatrix sums(kResamplesPerTask, values.rows);
    DoubleMatrix weights(kResamplesPerTask, kRowsPerBlock);
    for (std::size_t row = 0; row < rows; row += kRowsPerBlock) {
        job.throwIfStopped();
        const std::size_t block = std::min(kRowsPerBlock, rows - row);
        for (std::size_t b = 0; b < kResamplesPerTask; ++b)
            std::copy_n(counts.data() + b * rows + row, block, weights.row(b));
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(kResamplesPerTask),
                    static_cast<int>(values.rows), static_cast<int>(block), 1.0, weights.values.data(),
                    static_cast<int>(kRowsPerBlock), values.values.data() + row, static_cast<int>(rows), 1.0,
                    sums.values.data(), static_cast<int>(values.rows));
    }
    return sums;
}

} // namespace

std::vector<double> resampledMeans(std::span<const std::vector<double>> columns, const Resampling& how,
                                   const JobContext& job) {
    const std::size_t width = columns.size();
    const std::size_t rows = width == 0 ? 0 : columns.front().size();
    std::vector<double> means(how.count * width, kNaN);
    if (rows == 0)
        return means;
    requireOneBlasThread();
    DoubleMatrix values = DoubleMatrix::unset(width, rows);
    for (std::size_t c = 0; c < width; ++c)
        std::ranges::copy(columns[c], values.row(c));
    const std::size_t tasks = (how.count + kResamplesPerTask - 1) / kResamplesPerTask;
    parallelFor(tasks, how.threads, job, [&](std::size_t task, unsigned) {
        const std::size_t first = task * kResamplesPerTask;
        const std::size_t last = std::min(how.count, first + kResamplesPerTask);
        std::vector<std::uint16_t> counts(kResamplesPerTask * rows, 0);
        for (std::size_t b = first; b < last; ++b) {
            job.throwIfStopped();
            draw(counts.data() + (b - first) * rows, rows, Random::forItem(how.seed, b).next());
        }
        const DoubleMatrix sums = resampledSums(counts, values, job);
        for (std::size_t b = first; b < last; ++b)
            for (std::size_t c = 0; c < width; ++c)
                means[b * width + c] = sums.at(b - first, c) / static_cast<double>(rows);
    });
    return means;
}

Bounds percentileBounds(std::vector<double> values, double level) {
    if (values.empty() || std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); }))
        return {kNaN, kNaN};
    return {quantile(std::span(values), (1.0 - level) / 2.0), quantile(std::span(values), (1.0 + level) / 2.0)};
}

std::uint64_t streamSeed(std::uint64_t seed, std::string_view stream) {
    std::uint64_t hash = 0xCBF29CE484222325ULL; // FNV-1a: the same on every machine, unlike std::hash
    for (const char c : stream)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return Random::forItem(seed, hash).next();
}

} // namespace assay
