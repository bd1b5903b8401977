#include "engine/metrics/resampling/half_shifts.h"

#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/math/statistics/quantile.h"
#include "engine/metrics/tables/pass_tables.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace assay {
namespace {

constexpr std::size_t kSplits = 64; ///< the variance found from them is good to a sixth
constexpr std::size_t kRowsBetweenChecks = 4096;

/// The half of each row, 0 or 1; of an odd number of rows one is in neither.
using Halves = std::vector<std::uint8_t>;
constexpr std::uint8_t kNeither = 2;

/// One value per half.
using PerHalf = std::array<double, 2>;

Halves randomHalves(std::size_t rows, std::uint64_t seed, std::size_t split) {
    const std::vector<std::uint32_t> order = Random::forItem(seed, split).order(rows);
    Halves halves(rows, kNeither);
    for (std::size_t i = 0; i < rows / 2 * 2; ++i)
        halves[order[i]] = i < rows / 2 ? 0 : 1;
    return halves;
}

/// Radius of a row's ball within its own half: the distance to its k-th neighbour there. If the list is too short, the
/// distance to its last entry: a lower bound, which matters only where balls are small enough not to be clipped.
double radiusOf(const NeighborTable& table, std::size_t row, std::size_t k, const Halves& halves) {
    std::size_t found = 0;
    for (std::size_t rank = 0; rank < table.k; ++rank)
        if (halves[table.indexAt(row, rank)] == halves[row] && ++found == k)
            return table.distanceAt(row, rank);
    return table.distanceAt(row, table.k - 1);
}

/// The real set in one random split, with each row's ball among its own half.
struct RealSplit {
    Halves halves;
    std::vector<double> radius;
    std::vector<double> clippedRadius; ///< at most the median of the row's half; below 0 for the row in neither
};

RealSplit splitReal(const MetricInputs& in, std::size_t split) {
    const NeighborTable& table = in.real.neighbors;
    RealSplit real;
    real.halves = randomHalves(table.rows(), streamSeed(in.seed, "halves of the real set"), split);
    real.radius.resize(table.rows());
    std::array<std::vector<double>, 2> radii;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (row % kRowsBetweenChecks == 0)
            in.job.throwIfStopped();
        real.radius[row] = radiusOf(table, row, in.k, real.halves);
        if (real.halves[row] != kNeither)
            radii[real.halves[row]].push_back(real.radius[row]);
    }
    const std::array<double, 3> clip{median(std::move(radii[0])), median(std::move(radii[1])), -1.0};
    real.clippedRadius = real.radius;
    for (std::size_t row = 0; row < table.rows(); ++row)
        real.clippedRadius[row] = std::min(real.radius[row], clip[real.halves[row]]);
    return real;
}

/// Sums of min(count, k) of each half, divided by their maximum for `rows` rows.
PerHalf shares(const std::array<std::uint64_t, 3>& sums, std::size_t rows, std::size_t k) {
    const auto most = static_cast<double>(k * rows);
    return {static_cast<double>(sums[0]) / most, static_cast<double>(sums[1]) / most};
}

/// clipped_density_real of each half.
PerHalf realFidelity(const MetricInputs& in, const RealSplit& real) {
    const NeighborTable& table = in.real.neighbors;
    std::vector<std::uint32_t> holding(table.rows(), 0);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (row % kRowsBetweenChecks == 0)
            in.job.throwIfStopped();
        for (std::size_t rank = 0; rank < table.k && table.distanceAt(row, rank) <= real.clippedRadius[row]; ++rank)
            if (const std::uint32_t other = table.indexAt(row, rank); real.halves[other] == real.halves[row])
                ++holding[other];
    }
    std::array<std::uint64_t, 3> sums{};
    for (std::size_t row = 0; row < table.rows(); ++row)
        sums[real.halves[row]] += std::min<std::size_t>(holding[row], in.k);
    return shares(sums, table.rows() / 2, in.k);
}

/// Mean fidelity of the synthetic samples in the balls of each half.
PerHalf syntheticFidelity(const MetricInputs& in, const RealSplit& real) {
    const NeighborTable& table = in.pair.syntheticToReal;
    std::array<std::uint64_t, 3> sums{};
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (row % kRowsBetweenChecks == 0)
            in.job.throwIfStopped();
        std::array<std::size_t, 3> holding{};
        for (std::size_t rank = 0; rank < table.k; ++rank)
            if (const std::uint32_t other = table.indexAt(row, rank);
                table.distanceAt(row, rank) <= real.clippedRadius[other])
                ++holding[real.halves[other]];
        for (std::size_t half = 0; half < 2; ++half)
            sums[half] += std::min(holding[half], in.k);
    }
    return shares(sums, table.rows(), in.k);
}

/// Mean coverage of each half of the real set by one half of the synthetic set.
PerHalf coverage(const MetricInputs& in, const RealSplit& real, const Halves& synthetic) {
    const NeighborTable& table = in.pair.realToSynthetic;
    std::array<std::uint64_t, 3> sums{};
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (row % kRowsBetweenChecks == 0)
            in.job.throwIfStopped();
        std::size_t inside = 0;
        for (std::size_t rank = 0; rank < table.k && table.distanceAt(row, rank) <= real.radius[row]; ++rank)
            inside += synthetic[table.indexAt(row, rank)] == real.halves[row] ? 1 : 0;
        sums[real.halves[row]] += std::min(inside, in.k);
    }
    return shares(sums, table.rows() / 2, in.k);
}

/// Whether next to no row has more neighbours at its k-th distance than are listed: of those, the lists hold an
/// arbitrary part, and halves would differ by it.
bool listsHoldTies(const NeighborTable& table, std::size_t rows, std::size_t k) {
    constexpr std::size_t kOneIn = 100;
    if (table.k + 1 >= rows)
        return true;
    std::size_t cut = 0;
    for (std::size_t row = 0; row < table.rows(); ++row)
        cut += table.distanceAt(row, k - 1) == table.distanceAt(row, table.k - 1) ? 1 : 0;
    return cut * kOneIn <= table.rows();
}

bool realHalvesServe(const MetricInputs& in) {
    const std::size_t rows = in.real.set->rows();
    // A half's k-th neighbour is about the 2k-th of all.
    return rows >= 4 * in.k && in.real.neighbors.k >= std::min(rows - 1, 2 * in.k + 8) &&
           listsHoldTies(in.real.neighbors, rows, in.k);
}

bool bothHalvesServe(const MetricInputs& in) {
    const std::size_t rows = in.pair.syntheticToReal.rows();
    return realHalvesServe(in) && rows >= 4 * in.k && in.pair.realToSynthetic.k >= std::min(rows, 2 * in.k + 8);
}

double halfDifference(const PerHalf& of) {
    return (of[0] - of[1]) / 2.0;
}

} // namespace

HalfShifts halfShifts(const MetricInputs& in) {
    HalfShifts shifts;
    if (!realHalvesServe(in))
        return shifts;
    const bool both = bothHalvesServe(in);
    const std::uint64_t syntheticSeed = streamSeed(in.seed, "halves of " + std::string(in.stream));
    shifts.clippedDensity.resize(kSplits);
    shifts.realFidelity.resize(kSplits);
    shifts.coverage.resize(both ? kSplits : 0);
    parallelFor(kSplits, in.threads, in.job, [&](std::size_t split, unsigned) {
        const RealSplit real = splitReal(in, split);
        const PerHalf own = realFidelity(in, real);
        const PerHalf other = syntheticFidelity(in, real);
        const bool defined = own[0] > 0.0 && own[1] > 0.0;
        shifts.realFidelity[split] = halfDifference(own);
        shifts.clippedDensity[split] = defined ? halfDifference({other[0] / own[0], other[1] / own[1]}) : 0.0;
        if (both)
            shifts.coverage[split] =
                halfDifference(coverage(in, real, randomHalves(in.pair.syntheticToReal.rows(), syntheticSeed, split)));
    });
    return shifts;
}

} // namespace assay
