#include "engine/math/linear/centre.h"

#include "engine/base/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kStripes = 32;
constexpr std::size_t kValuesPerCheck = std::size_t{1} << 20; // some milliseconds

/// Number of rows between two checks of the stop token.
std::size_t rowsPerCheck(std::size_t dim) {
    return std::max<std::size_t>(kValuesPerCheck / dim, 1);
}

/// Distance from a row to a point. It uses sixteen partial sums, in an order that does not depend on the row's address.
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

/// Calls take(stripe, row) for every row, one worker per stripe, and checks the stop token every few milliseconds.
template <typename Take>
void forStripes(MatrixView set, unsigned threads, const JobContext& job, Take take) {
    parallelFor(kStripes, threads, job, [&](std::size_t s, unsigned) {
        const std::size_t first = set.rows * s / kStripes;
        for (std::size_t row = first; row < set.rows * (s + 1) / kStripes; ++row) {
            if ((row - first) % rowsPerCheck(set.dim) == 0)
                job.throwIfStopped();
            take(s, row);
        }
    });
}

/// Sums per fixed stripe of rows, so that the order of summation is equal for any number of threads.
class StripeSums {
public:
    explicit StripeSums(std::size_t dim) : sums_(kStripes, std::vector<double>(dim, 0.0)) {}

    void add(std::size_t stripe, std::span<const float> row, double factor) {
        double* sum = sums_[stripe].data();
        for (std::size_t c = 0; c < row.size(); ++c)
            sum[c] += static_cast<double>(row[c]) * factor;
    }

    std::vector<double> mean(std::size_t rows) && {
        std::vector<double> mean = std::move(sums_[0]);
        for (std::size_t s = 1; s < kStripes; ++s)
            for (std::size_t c = 0; c < mean.size(); ++c)
                mean[c] += sums_[s][c];
        for (double& value : mean)
            value /= static_cast<double>(rows);
        return mean;
    }

private:
    std::vector<std::vector<double>> sums_;
};

/// Calls take(row) for every row, on several threads.
template <typename Take>
void forRows(MatrixView set, unsigned threads, const JobContext& job, Take take) {
    parallelRanges(set.rows, rowsPerCheck(set.dim), threads, job, [&](std::size_t first, std::size_t last, unsigned) {
        for (std::size_t row = first; row < last; ++row)
            take(row);
    });
}

} // namespace

std::vector<double> columnMeans(MatrixView set, unsigned threads, const JobContext& job) {
    StripeSums sums(set.dim);
    forStripes(set, threads, job, [&](std::size_t stripe, std::size_t row) { sums.add(stripe, set.row(row), 1.0); });
    return std::move(sums).mean(set.rows);
}

RowSummary summarizeRows(MatrixView set, unsigned threads, const JobContext& job) {
    const std::vector<double> origin(set.dim, 0.0);
    StripeSums sums(set.dim);
    StripeSums directions(set.dim);
    RowSummary summary;
    summary.inverseLength.resize(set.rows);
    forStripes(set, threads, job, [&](std::size_t stripe, std::size_t row) {
        const double length = distanceTo(origin.data(), set.rowData(row), set.dim);
        const double inverse = length > 0.0 ? 1.0 / length : 0.0;
        summary.inverseLength[row] = inverse;
        sums.add(stripe, set.row(row), 1.0);
        directions.add(stripe, set.row(row), inverse);
    });
    summary.mean = std::move(sums).mean(set.rows);
    summary.meanDirection = std::move(directions).mean(set.rows);
    return summary;
}

std::vector<double> distancesTo(std::span<const double> centre, MatrixView set, unsigned threads,
                                const JobContext& job) {
    std::vector<double> distances(set.rows);
    forRows(set, threads, job,
            [&](std::size_t row) { distances[row] = distanceTo(centre.data(), set.rowData(row), set.dim); });
    return distances;
}

TwoDistances distancesToTwo(std::span<const double> first, std::span<const double> second, MatrixView set,
                            unsigned threads, const JobContext& job) {
    TwoDistances distances{std::vector<double>(set.rows), std::vector<double>(set.rows)};
    forRows(set, threads, job, [&](std::size_t row) {
        distances.first[row] = distanceTo(first.data(), set.rowData(row), set.dim);
        distances.second[row] = distanceTo(second.data(), set.rowData(row), set.dim);
    });
    return distances;
}

} // namespace assay
