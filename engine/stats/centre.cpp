#include "engine/stats/centre.h"

#include "engine/job/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace assay {
namespace {

constexpr std::size_t kStripes = 32;
constexpr std::size_t kValuesPerCheck = std::size_t{1} << 20; // some milliseconds

/// Rows between two looks at the stop token.
std::size_t rowsPerCheck(std::size_t dim) {
    return std::max<std::size_t>(kValuesPerCheck / dim, 1);
}

/// Sixteen sums side by side, in an order that does not depend on where the row lies in memory.
double distanceTo(const double* centre, const float* row, std::size_t dim) {
    constexpr std::size_t kLanes = 16;
    std::array<double, kLanes> lane{};
    std::size_t i = 0;
    for (; i + kLanes <= dim; i += kLanes)
        for (std::size_t l = 0; l < kLanes; ++l) {
            const double difference = static_cast<double>(row[i + l]) - centre[i + l];
            lane[l] += difference * difference;
        }
    for (std::size_t l = 0; i + l < dim; ++l) {
        const double difference = static_cast<double>(row[i + l]) - centre[i + l];
        lane[l] += difference * difference;
    }
    for (std::size_t half = kLanes / 2; half > 0; half /= 2)
        for (std::size_t l = 0; l < half; ++l)
            lane[l] += lane[l + half];
    return std::sqrt(lane[0]);
}

} // namespace

std::vector<double> columnMeans(MatrixView set, std::span<const double> scale, unsigned threads,
                                const JobContext& job) {
    // Fixed stripes, each with a sum of its own: the order of summation is the same for any number of threads.
    std::vector<std::vector<double>> sums(kStripes, std::vector<double>(set.dim, 0.0));
    parallelFor(kStripes, threads, job, [&](std::size_t s, unsigned) {
        std::vector<double>& sum = sums[s];
        const std::size_t first = set.rows * s / kStripes;
        for (std::size_t row = first; row < set.rows * (s + 1) / kStripes; ++row) {
            if ((row - first) % rowsPerCheck(set.dim) == 0)
                job.throwIfStopped();
            const float* values = set.rowData(row);
            const double factor = scale.empty() ? 1.0 : scale[row];
            for (std::size_t c = 0; c < set.dim; ++c)
                sum[c] += static_cast<double>(values[c]) * factor;
        }
    });
    std::vector<double> mean = std::move(sums[0]);
    for (std::size_t s = 1; s < kStripes; ++s)
        for (std::size_t c = 0; c < set.dim; ++c)
            mean[c] += sums[s][c];
    for (double& value : mean)
        value /= static_cast<double>(set.rows);
    return mean;
}

std::vector<double> distancesTo(std::span<const double> centre, MatrixView set, unsigned threads,
                                const JobContext& job) {
    std::vector<double> distances(set.rows);
    const std::size_t chunk = rowsPerCheck(set.dim);
    parallelFor((set.rows + chunk - 1) / chunk, threads, job, [&](std::size_t task, unsigned) {
        for (std::size_t row = task * chunk; row < std::min(set.rows, (task + 1) * chunk); ++row)
            distances[row] = distanceTo(centre.data(), set.rowData(row), set.dim);
    });
    return distances;
}

} // namespace assay
