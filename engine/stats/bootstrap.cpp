// Every resample is a task with random numbers of its own: small products on one thread each.
#define EIGEN_DONT_PARALLELIZE
#include "engine/stats/bootstrap.h"

#include "engine/demo/random.h"
#include "engine/job/parallel.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

using Index = Eigen::Index;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kResamplesPerTask = 16;
constexpr std::size_t kRowsPerBlock = 512;

/// Draws `rows` of `rows` with replacement; counts[row] says how often each came.
void draw(std::uint16_t* counts, std::size_t rows, std::uint64_t seed) {
    demo::Random random(seed);
    const auto take = [&](std::uint64_t half) { ++counts[(half * rows) >> 32]; };
    for (std::size_t drawn = 0; drawn + 1 < rows; drawn += 2) {
        const std::uint64_t both = random.next();
        take(both >> 32);
        take(both & 0xFFFFFFFF);
    }
    if (rows % 2 == 1)
        take(random.next() >> 32);
}

} // namespace

std::vector<double> resampledMeans(std::span<const std::vector<double>> columns, const Resampling& how,
                                   const JobContext& job) {
    const std::size_t width = columns.size();
    const std::size_t rows = width == 0 ? 0 : columns.front().size();
    std::vector<double> means(how.count * width, kNaN);
    if (rows == 0)
        return means;
    Eigen::MatrixXd values(static_cast<Index>(rows), static_cast<Index>(width));
    for (std::size_t c = 0; c < width; ++c)
        std::copy(columns[c].begin(), columns[c].end(), values.col(static_cast<Index>(c)).data());

    const std::size_t tasks = (how.count + kResamplesPerTask - 1) / kResamplesPerTask;
    parallelFor(tasks, how.threads, job, [&](std::size_t task, unsigned) {
        const std::size_t first = task * kResamplesPerTask;
        const std::size_t last = std::min(how.count, first + kResamplesPerTask);
        std::vector<std::uint16_t> counts((last - first) * rows, 0);
        for (std::size_t b = first; b < last; ++b) {
            job.throwIfStopped();
            draw(counts.data() + (b - first) * rows, rows, demo::Random::forItem(how.seed, b).next());
        }
        Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(static_cast<Index>(last - first), static_cast<Index>(width));
        // In blocks of rows, so that a block of all columns stays in cache for all resamples of the task.
        for (std::size_t row = 0; row < rows; row += kRowsPerBlock) {
            job.throwIfStopped();
            const auto block = static_cast<Index>(std::min(kRowsPerBlock, rows - row));
            // Row by row, as the counts lie.
            Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> weights(
                static_cast<Index>(last - first), block);
            for (std::size_t b = first; b < last; ++b)
                for (Index r = 0; r < block; ++r)
                    weights(static_cast<Index>(b - first), r) =
                        static_cast<double>(counts[(b - first) * rows + row + static_cast<std::size_t>(r)]);
            sums.noalias() += weights * values.middleRows(static_cast<Index>(row), block);
        }
        for (std::size_t b = first; b < last; ++b)
            for (std::size_t c = 0; c < width; ++c)
                means[b * width + c] =
                    sums(static_cast<Index>(b - first), static_cast<Index>(c)) / static_cast<double>(rows);
    });
    return means;
}

Bounds percentileBounds(std::vector<double> values, double level) {
    if (values.empty() || std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); }))
        return {kNaN, kNaN};
    std::sort(values.begin(), values.end());
    const auto quantile = [&](double share) {
        const double at = share * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(at);
        const std::size_t above = std::min(below + 1, values.size() - 1);
        const double part = at - static_cast<double>(below);
        // Infinite neighbours have no difference.
        return part == 0.0 ? values[below] : values[below] * (1.0 - part) + values[above] * part;
    };
    return {quantile((1.0 - level) / 2.0), quantile((1.0 + level) / 2.0)};
}

std::uint64_t streamSeed(std::uint64_t seed, std::string_view stream) {
    std::uint64_t hash = 0xCBF29CE484222325ULL; // FNV-1a: the same on every machine, unlike std::hash
    for (const char c : stream)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return demo::Random::forItem(seed, hash).next();
}

} // namespace assay
