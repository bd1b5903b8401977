#include "engine/metrics/embedding/sliced_distance.h"

#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/linear/centre.h"
#include "engine/math/products/centred_products.h"
#include "engine/metrics/tables/compared_rows.h"

#include <Eigen/QR>

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

namespace assay {
namespace {

constexpr std::size_t kDirections = 256;           // directions at a time
constexpr std::uint64_t kSliceStream = 0x6d696e64; // sets these draws apart from others of the same seed

std::vector<const float*> drawRows(MatrixView set, std::uint64_t seed, unsigned threads) {
    std::vector<std::uint32_t> order = contentOrder(set, {}, seed, threads);
    Random::forItem(seed ^ kSliceStream, 0).shuffle(order); // equal rows stand together in the order of contents
    order.resize(std::min(order.size(), kSliceRows));
    std::vector<const float*> rows(order.size());
    std::ranges::transform(order, rows.begin(), [&](std::uint32_t r) { return set.rowData(r); });
    return rows;
}

/// Directions of unit length, uniform on the sphere, those of a basis at right angles to each other: the mean over a
/// whole basis has no error from the draw where sets differ by a shift.
DoubleMatrix basesFrom(Random& random, std::size_t bases, std::size_t perBasis, std::size_t dim) {
    using Eigen::Index;
    DoubleMatrix directions(bases * perBasis, dim);
    Eigen::MatrixXd normal(static_cast<Index>(dim), static_cast<Index>(perBasis));
    for (std::size_t b = 0; b < bases; ++b) {
        std::generate_n(normal.data(), normal.size(), [&] { return random.normal(); });
        const Eigen::MatrixXd basis = Eigen::HouseholderQR<Eigen::MatrixXd>(normal).householderQ() *
                                      Eigen::MatrixXd::Identity(normal.rows(), normal.cols());
        std::copy_n(basis.data(), basis.size(), directions.row(b * perBasis));
    }
    return directions;
}

/// Squared Wasserstein distance of order 2 of the numbers in a to those in b, each of the same weight in its list.
/// @param a, b ascending
double squaredDistance(std::span<const float> a, std::span<const float> b) {
    const auto n = static_cast<double>(a.size());
    const auto m = static_cast<double>(b.size());
    double sum = 0.0;
    double from = 0.0; // share of both lists that is matched
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const double endA = static_cast<double>(i + 1) / n;
        const double endB = static_cast<double>(j + 1) / m;
        const double to = std::min(endA, endB);
        const double apart = static_cast<double>(a[i]) - static_cast<double>(b[j]);
        sum += (to - from) * apart * apart;
        from = to;
        i += endA <= endB ? 1 : 0;
        j += endB <= endA ? 1 : 0;
    }
    return sum;
}

} // namespace

double slicedDistance(MatrixView a, MatrixView b, std::uint64_t seed, unsigned threads, const JobContext& job) {
    const std::vector<const float*> rowsA = drawRows(a, seed, threads);
    const std::vector<const float*> rowsB = drawRows(b, seed, threads);
    const std::vector<double> middle = columnMeans(a, threads, job.silent());
    const std::vector<float> centre(middle.begin(), middle.end());
    Random random = Random::forItem(seed ^ kSliceStream, 1);
    const std::size_t perBasis = std::min(a.dim, kDirections);
    const std::size_t bases = (kSliceDirections + perBasis - 1) / perBasis;
    const std::size_t basesAtOnce = kDirections / perBasis;
    std::vector<double> distances(bases * perBasis);
    for (std::size_t basis = 0; basis < bases; basis += basesAtOnce) {
        const double done = static_cast<double>(basis) / static_cast<double>(bases);
        const JobContext quiet = job.part({}, done, done);
        const DoubleMatrix directions = basesFrom(random, std::min(basesAtOnce, bases - basis), perBasis, a.dim);
        const std::size_t count = directions.rows;
        const std::vector<float> projectedA = projectRows(rowsA, centre, directions, threads, quiet);
        const std::vector<float> projectedB = projectRows(rowsB, centre, directions, threads, quiet);
        const auto sorted = [&](const std::vector<float>& projected, std::size_t p) {
            std::vector<float> values(projected.size() / count);
            for (std::size_t row = 0; row < values.size(); ++row)
                values[row] = projected[row * count + p];
            std::ranges::sort(values);
            return values;
        };
        parallelFor(count, threads, quiet, [&](std::size_t p, unsigned) {
            distances[basis * perBasis + p] = squaredDistance(sorted(projectedA, p), sorted(projectedB, p));
        });
    }
    const double sum = std::accumulate(distances.begin(), distances.end(), 0.0);
    return 3.0 * static_cast<double>(a.dim) * sum / static_cast<double>(distances.size());
}

std::size_t slicedDistanceBytes(std::size_t rows) {
    return 2 * std::min(rows, kSliceRows) * 2 * kDirections * sizeof(float) + rows * sizeof(std::uint64_t);
}

} // namespace assay
