#include "engine/metrics/resampling/half_shifts.h"

#include "engine/base/aside.h"
#include "engine/base/parallel.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/metrics/resampling/split_balls.h"
#include "engine/metrics/resampling/split_bits.h"
#include "engine/metrics/tables/pass_tables.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <future>
#include <string>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kRowsPerTask = 256;

/// One score per half and split.
using HalfFigures = std::array<std::array<double, kSplits>, 2>;

/// Means of min(count, k) / k over `rows` rows of each half. `left` holds the sums of k - min(count, k).
HalfFigures meanShares(const std::array<SplitSums, 2>& left, std::size_t rows, std::size_t k) {
    const std::size_t most = k * rows;
    HalfFigures means{};
    for (std::size_t half = 0; half < 2; ++half)
        for (std::size_t split = 0; split < kSplits; ++split)
            means[half][split] = static_cast<double>(most - left[half].of(split)) / static_cast<double>(most);
    return means;
}

/// Adds the sums of all workers.
std::array<SplitSums, 2> totalOf(std::vector<std::array<SplitSums, 2>> sums) {
    for (std::size_t worker = 1; worker < sums.size(); ++worker)
        for (std::size_t half = 0; half < 2; ++half)
            sums[0][half].add(sums[worker][half]);
    return sums[0];
}

/// clipped_density_real of each half.
HalfFigures realFidelity(const MetricInputs& in, const std::vector<RowHalves>& halves, const SplitBalls& balls) {
    constexpr std::size_t kRowsBetweenLooks = 4096;
    const NeighborTable& table = in.real.neighbors;
    Countdowns left(halves.size(), in.k);
    for (std::size_t i = 0; i < halves.size(); ++i) {
        if (i % kRowsBetweenLooks == 0)
            in.job.throwIfStopped();
        std::size_t tied = 0; // first at the same distance
        for (std::size_t rank = 0; rank < table.k && table.distanceAt(i, rank) <= balls.largestClip(); ++rank) {
            const double distance = table.distanceAt(i, rank);
            if (distance > table.distanceAt(i, tied))
                tied = rank;
            const std::uint32_t neighbor = table.indexAt(i, rank);
            left.take(neighbor, left.open(neighbor) & sameHalf(halves[i], halves[neighbor]) & balls.reaching(i, tied) &
                                    balls.withinClip(i, distance));
        }
    }
    std::array<SplitSums, 2> sums;
    for (std::size_t i = 0; i < halves.size(); ++i)
        for (std::size_t half = 0; half < 2; ++half)
            sums[half].add(left.bits(i), halves[i].in(half));
    return meanShares(sums, halves.size() / 2, in.k);
}

/// Counts down the fidelity of a synthetic sample for each half of the real set: takes one for every clipped ball of
/// the half that contains it, among its listed real samples.
void countFidelity(const NeighborTable& table, std::size_t sample, const std::vector<RowHalves>& halves,
                   const SplitBalls& balls, Countdowns& left) {
    for (std::size_t rank = 0; rank < table.k && table.distanceAt(sample, rank) <= balls.largestClip(); ++rank) {
        const std::uint32_t real = table.indexAt(sample, rank);
        const Splits holding = balls.clippedReaching(real, table.distanceAt(sample, rank));
        for (std::size_t half = 0; half < 2; ++half)
            left.take(half, left.open(half) & holding & halves[real].in(half));
    }
}

/// Mean fidelity of the synthetic samples in the balls of each half.
HalfFigures syntheticFidelity(const MetricInputs& in, const std::vector<RowHalves>& halves, const SplitBalls& balls,
                              const JobContext& job) {
    const NeighborTable& table = in.pair.syntheticToReal;
    std::vector<std::array<SplitSums, 2>> sums(resolveThreads(in.threads));
    parallelFor(
        (table.rows() + kRowsPerTask - 1) / kRowsPerTask, in.threads, job, [&](std::size_t task, unsigned worker) {
            Countdowns left(2, in.k); // one for the balls of each half
            for (std::size_t j = task * kRowsPerTask; j < std::min(table.rows(), (task + 1) * kRowsPerTask); ++j) {
                for (std::size_t half = 0; half < 2; ++half)
                    left.restart(half);
                countFidelity(table, j, halves, balls, left);
                for (std::size_t half = 0; half < 2; ++half)
                    sums[worker][half].add(left.bits(half), ~Splits{0});
            }
        });
    return meanShares(totalOf(std::move(sums)), table.rows(), in.k);
}

/// Mean coverage of each half of the real set by one half of the synthetic set.
HalfFigures coverageOf(const MetricInputs& in, const std::vector<RowHalves>& halves, const SplitBalls& balls,
                       const std::vector<RowHalves>& synthetic, const JobContext& job) {
    const NeighborTable& own = in.real.neighbors;
    const NeighborTable& table = in.pair.realToSynthetic;
    std::vector<std::array<SplitSums, 2>> sums(resolveThreads(in.threads));
    const std::size_t tasks = (halves.size() + kRowsPerTask - 1) / kRowsPerTask;
    parallelFor(tasks, in.threads, job, [&](std::size_t task, unsigned worker) {
        Countdowns left(1, in.k);
        for (std::size_t i = task * kRowsPerTask; i < std::min(halves.size(), (task + 1) * kRowsPerTask); ++i) {
            left.restart(0);
            Splits open = halves[i].either;
            std::size_t ownRank = 0;
            for (std::size_t rank = 0; rank < table.k; ++rank) {
                while (ownRank < own.k && own.distanceAt(i, ownRank) < table.distanceAt(i, rank))
                    ++ownRank;
                open &= balls.reaching(i, ownRank);
                if (open == 0)
                    break;
                open &= ~left.take(0, open & sameHalf(halves[i], synthetic[table.indexAt(i, rank)]));
            }
            for (std::size_t half = 0; half < 2; ++half)
                sums[worker][half].add(left.bits(0), halves[i].in(half));
        }
    });
    return meanShares(totalOf(std::move(sums)), halves.size() / 2, in.k);
}

bool realHalvesServe(const MetricInputs& in) {
    const std::size_t rows = in.real.set->rows();
    // A half's k-th neighbour is about the 2k-th of all.
    return rows >= 4 * in.k && in.real.neighbors.k >= std::min(rows - 1, 2 * in.k + 8);
}

bool bothHalvesServe(const MetricInputs& in) {
    const std::size_t rows = in.pair.syntheticToReal.rows();
    return realHalvesServe(in) && rows >= 4 * in.k && in.pair.realToSynthetic.k >= std::min(rows, 2 * in.k + 8);
}

/// Half the difference of the two halves' scores, per split.
std::vector<double> halfDifferences(const HalfFigures& of) {
    std::vector<double> differences(kSplits);
    for (std::size_t split = 0; split < kSplits; ++split)
        differences[split] = (of[0][split] - of[1][split]) / 2.0;
    return differences;
}

} // namespace

HalfShifts halfShifts(const MetricInputs& in) {
    HalfShifts shifts;
    if (!realHalvesServe(in))
        return shifts;
    const std::uint64_t realSeed = streamSeed(in.seed, "halves of the real set");
    const std::vector<RowHalves> halves =
        randomHalves(in.real.set->rows(), realSeed, in.threads, in.job.part({}, 0.0, 0.1));
    const SplitBalls balls(in.real.neighbors, in.k, halves, in.threads, in.job.part({}, 0.1, 0.3));
    const JobContext job = in.job.counting();
    // Balls count for rows in no order: on one core, beside what the others do.
    std::future<HalfFigures> begun = aside(in.threads, job, [&] { return realFidelity(in, halves, balls); });
    HalfFigures synthetic = syntheticFidelity(in, halves, balls, job.part({}, 0.3, 0.6));
    if (bothHalvesServe(in)) {
        const std::uint64_t seed = streamSeed(in.seed, "halves of " + std::string(in.stream));
        const std::vector<RowHalves> syntheticHalves =
            randomHalves(in.pair.syntheticToReal.rows(), seed, in.threads, job.part({}, 0.6, 0.7));
        shifts.coverage = halfDifferences(coverageOf(in, halves, balls, syntheticHalves, job.part({}, 0.7, 1.0)));
    }
    const HalfFigures real = begun.get();
    for (std::size_t split = 0; split < kSplits; ++split)
        for (std::size_t half = 0; half < 2; ++half)
            synthetic[half][split] =
                real[0][split] > 0.0 && real[1][split] > 0.0 ? synthetic[half][split] / real[half][split] : 0.0;
    shifts.clippedDensity = halfDifferences(synthetic);
    shifts.realFidelity = halfDifferences(real);
    return shifts;
}

} // namespace assay
