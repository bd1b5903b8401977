#include "engine/math/statistics/k_means.h"

#include "engine/base/parallel.h"
#include "engine/data/matrix_view.h"
#include "engine/math/products/kernels.h"
#include "engine/math/statistics/column_moments.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kStartRows = 2000;
constexpr std::size_t kStartRounds = 20;
constexpr std::size_t kRounds = 100;
constexpr double kTolerance = 1e-4;
constexpr std::size_t kRowsPerTask = 512;

MatrixView centreRows(const Cells& cells) {
    return {cells.centres.data(), cells.count(), cells.dim};
}

std::pair<std::uint32_t, double> nearestCentre(const float* row, MatrixView centres) {
    std::pair<std::uint32_t, double> nearest{0, std::numeric_limits<double>::infinity()};
    for (std::size_t c = 0; c < centres.rows; ++c) {
        const double squared = kernels().squaredDistance(row, centres.rowData(c), centres.dim);
        if (squared < nearest.second)
            nearest = {static_cast<std::uint32_t>(c), squared};
    }
    return nearest;
}

/// Contribution of some rows to the next centres.
struct Sums {
    std::vector<double> sum; ///< cells x dim
    std::vector<std::size_t> rows;
    double error = 0.0;

    Sums(std::size_t cells, std::size_t dim) : sum(cells * dim, 0.0), rows(cells, 0) {}

    void add(std::size_t cell, const float* row, std::size_t dim) {
        ++rows[cell];
        double* own = sum.data() + cell * dim;
        for (std::size_t c = 0; c < dim; ++c)
            own[c] += static_cast<double>(row[c]);
    }
    void add(const Sums& other) {
        for (std::size_t s = 0; s < sum.size(); ++s)
            sum[s] += other.sum[s];
        for (std::size_t c = 0; c < rows.size(); ++c)
            rows[c] += other.rows[c];
        error += other.error;
    }
};

/// Moves the centres to the means of their cells. @return the squared movement
double moveCentres(Cells& cells, const Sums& sums) {
    double moved = 0.0;
    for (std::size_t cell = 0; cell < cells.count(); ++cell)
        for (std::size_t c = 0; c < cells.dim && sums.rows[cell] > 0; ++c) {
            float& centre = cells.centres[cell * cells.dim + c];
            const double mean = sums.sum[cell * cells.dim + c] / static_cast<double>(sums.rows[cell]);
            const double by = mean - static_cast<double>(centre);
            moved += by * by;
            centre = static_cast<float>(mean);
        }
    return moved;
}

/// Runs one round of Lloyd's algorithm.
/// @return the squared error before the round, and the squared movement of the centres
std::pair<double, double> lloydRound(MatrixView set, Cells& cells, const ComputeContext& context) {
    // Parts of fixed size, added in their order: the same sums for every number of threads.
    constexpr std::size_t kParts = 8;
    const JobContext& job = context.job;
    const std::size_t perPart = (set.rows + kParts - 1) / kParts;
    std::vector<Sums> parts(kParts, Sums(cells.count(), set.dim));
    parallelFor(kParts, context.threads, job.part({}, 0.0, 0.0), [&](std::size_t p, unsigned) {
        for (std::size_t row = p * perPart; row < std::min(set.rows, (p + 1) * perPart); ++row) {
            job.throwIfStopped();
            const auto [cell, squared] = nearestCentre(set.rowData(row), centreRows(cells));
            cells.cell[row] = cell;
            parts[p].error += squared;
            parts[p].add(cell, set.rowData(row), set.dim);
        }
    });
    for (std::size_t p = 1; p < kParts; ++p)
        parts.front().add(parts[p]);
    return {parts.front().error, moveCentres(cells, parts.front())};
}

/// A random number in [0, 1) that is equal on every platform, unlike those of the standard library's distributions.
double uniform(std::mt19937_64& random) {
    return static_cast<double>(random() >> 11) * 0x1p-53;
}

/// k-means++: each further centre is a row drawn with probability proportional to its squared distance to the nearest
/// centre so far.
Cells seeded(MatrixView set, std::size_t cells, std::mt19937_64& random) {
    Cells found{set.dim, {}, std::vector<std::uint32_t>(set.rows)};
    std::vector<double> squared(set.rows, std::numeric_limits<double>::infinity());
    auto next = static_cast<std::size_t>(uniform(random) * static_cast<double>(set.rows));
    while (found.count() < cells) {
        const auto row = set.row(next);
        found.centres.insert(found.centres.end(), row.begin(), row.end());
        double whole = 0.0;
        for (std::size_t r = 0; r < set.rows; ++r) {
            squared[r] = std::min(squared[r], kernels().squaredDistance(set.rowData(r), row.data(), set.dim));
            whole += squared[r];
        }
        if (whole == 0.0) // fewer different rows than cells
            break;
        double left = uniform(random) * whole;
        next = set.rows;
        for (std::size_t r = 0; r < set.rows && (next == set.rows || left >= 0.0); ++r)
            if (squared[r] > 0.0) {
                next = r;
                left -= squared[r];
            }
    }
    return found;
}

double meanVariance(MatrixView set) {
    const std::vector<double> deviation = columnMoments(set, 1, {}).deviation;
    return std::inner_product(deviation.begin(), deviation.end(), deviation.begin(), 0.0) /
           static_cast<double>(set.dim);
}

} // namespace

Cells kMeans(MatrixView set, std::size_t cells, const ComputeContext& context, std::size_t starts,
             std::span<const std::uint32_t> order) {
    std::vector<std::uint32_t> spaced = evenlySpacedRows(set.rows, std::min(kStartRows, set.rows));
    if (!order.empty())
        std::ranges::transform(spaced, spaced.begin(), [&](std::uint32_t place) { return order[place]; });
    const std::vector<float> values = gatherRows(set, spaced);
    const MatrixView some{values.data(), values.size() / set.dim, set.dim};
    const double tolerance = kTolerance * meanVariance(some);
    std::mt19937_64 random(context.seed);
    Cells best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t start = 0; start < starts; ++start) {
        Cells found = seeded(some, cells, random);
        double error = 0.0;
        for (std::size_t round = 0; round < kStartRounds; ++round) {
            const auto [before, moved] = lloydRound(some, found, context);
            error = before;
            if (moved <= tolerance)
                break;
        }
        if (error < least) {
            least = error;
            best = std::move(found);
        }
    }
    best.cell.assign(set.rows, 0);
    for (std::size_t round = 0; round < kRounds; ++round)
        if (lloydRound(set, best, context).second <= tolerance)
            break;
    best.cell = cellsOf(set, best, context.threads, context.job);
    return best;
}

std::uint32_t nearestCell(std::span<const float> row, const Cells& cells) {
    return nearestCentre(row.data(), centreRows(cells)).first;
}

std::vector<std::uint32_t> cellsOf(MatrixView set, const Cells& cells, unsigned threads, const JobContext& job) {
    std::vector<std::uint32_t> found(set.rows);
    parallelRanges(set.rows, kRowsPerTask, threads, job.part({}, 0.0, 0.0),
                   [&](std::size_t first, std::size_t last, unsigned) {
                       for (std::size_t r = first; r < last; ++r) {
                           job.throwIfStopped();
                           found[r] = nearestCentre(set.rowData(r), centreRows(cells)).first;
                       }
                   });
    return found;
}

} // namespace assay
