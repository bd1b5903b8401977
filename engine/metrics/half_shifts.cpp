#include "engine/metrics/half_shifts.h"

#include "engine/audit/audit_result.h"
#include "engine/demo/random.h"
#include "engine/job/parallel.h"
#include "engine/metrics/families.h"
#include "engine/stats/bootstrap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>

namespace assay {
namespace {

constexpr std::size_t kSplits = 64; ///< the variance found from them is good to a sixth
constexpr std::uint8_t kNeither = 2;

/// A random split of the real set into halves, and in each the clipped balls that an audit of it alone would have.
struct Split {
    std::vector<std::uint8_t> half;    ///< per real row: 0, 1, or neither for the last of an odd number
    std::vector<double> radius;        ///< among the rows of its own half
    std::vector<double> clippedRadius; ///< likewise
    double largest = 0.0;              ///< of them
};

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return values.size() % 2 == 1 ? *middle : (*std::max_element(values.begin(), middle) + *middle) / 2.0;
}

/// The k-th listed neighbour in the same half. Where the list ends before, its end: below the true distance, which is
/// clipped in all but dense places anyway.
double radiusWithin(const NeighborTable& table, std::size_t row, std::size_t k, const std::vector<std::uint8_t>& half) {
    std::size_t found = 0;
    for (std::size_t rank = 0; rank < table.k; ++rank) {
        found += half[table.indexAt(row, rank)] == half[row] ? 1 : 0;
        if (found == k)
            return table.distanceAt(row, rank);
    }
    return table.distanceAt(row, table.k - 1);
}

/// Per row: 0, 1, or neither for the last of an odd number.
std::vector<std::uint8_t> randomHalves(std::size_t rows, std::uint64_t seed, std::uint64_t number) {
    std::vector<std::uint32_t> order(rows);
    std::iota(order.begin(), order.end(), 0U);
    demo::Random random = demo::Random::forItem(seed, number);
    random.shuffle(order);
    std::vector<std::uint8_t> half(rows, kNeither);
    for (std::size_t i = 0; i < rows / 2 * 2; ++i)
        half[order[i]] = i < rows / 2 ? 0 : 1;
    return half;
}

Split makeSplit(const MetricInputs& in, std::uint64_t number) {
    const std::size_t rows = in.real.set->rows();
    Split split;
    split.half = randomHalves(rows, streamSeed(in.seed, "halves of the real set"), number);
    split.radius.assign(rows, -1.0);
    std::array<std::vector<double>, 2> radii;
    for (std::size_t i = 0; i < rows; ++i) {
        if (split.half[i] == kNeither)
            continue;
        split.radius[i] = radiusWithin(in.real.neighbors, i, in.k, split.half);
        radii[split.half[i]].push_back(split.radius[i]);
    }
    const std::array<double, 2> most{median(std::move(radii[0])), median(std::move(radii[1]))};
    split.largest = std::max(most[0], most[1]);
    split.clippedRadius = split.radius;
    for (std::size_t i = 0; i < rows; ++i)
        if (split.half[i] != kNeither)
            split.clippedRadius[i] = std::min(split.clippedRadius[i], most[split.half[i]]);
    return split;
}

/// clipped_density_real of each half.
std::array<double, 2> realFidelity(const MetricInputs& in, const Split& split) {
    const NeighborTable& table = in.real.neighbors;
    std::vector<std::uint32_t> holding(split.half.size(), 0);
    for (std::size_t i = 0; i < holding.size(); ++i)
        for (std::size_t rank = 0; rank < table.k && table.distanceAt(i, rank) <= split.clippedRadius[i]; ++rank)
            if (split.half[table.indexAt(i, rank)] == split.half[i])
                ++holding[table.indexAt(i, rank)];
    std::array<double, 2> sum{};
    for (std::size_t i = 0; i < holding.size(); ++i)
        if (split.half[i] != kNeither)
            sum[split.half[i]] += static_cast<double>(std::min<std::size_t>(holding[i], in.k));
    const std::size_t most = in.k * (holding.size() / 2);
    const auto whole = static_cast<double>(most);
    return {sum[0] / whole, sum[1] / whole};
}

/// A sample's fidelity among the balls of each half, counted in its list of nearest real samples.
std::array<double, 2> fidelityOf(const MetricInputs& in, const Split& split, std::size_t sample) {
    const NeighborTable& table = in.pair.syntheticToReal;
    std::array<std::size_t, 3> holding{};
    for (std::size_t rank = 0; rank < table.k && table.distanceAt(sample, rank) <= split.largest; ++rank) {
        const std::uint32_t real = table.indexAt(sample, rank);
        holding[split.half[real]] += table.distanceAt(sample, rank) <= split.clippedRadius[real] ? 1 : 0;
    }
    const auto share = [&](std::size_t count) {
        return static_cast<double>(std::min(count, in.k)) / static_cast<double>(in.k);
    };
    return {share(holding[0]), share(holding[1])};
}

/// Mean fidelity of the synthetic samples in the balls of each half.
std::array<double, 2> syntheticFidelity(const MetricInputs& in, const Split& split) {
    const std::size_t rows = in.pair.syntheticToReal.rows();
    std::array<double, 2> sum{};
    for (std::size_t j = 0; j < rows; ++j) {
        const std::array<double, 2> own = fidelityOf(in, split, j);
        sum[0] += own[0];
        sum[1] += own[1];
    }
    return {sum[0] / static_cast<double>(rows), sum[1] / static_cast<double>(rows)};
}

/// Mean coverage of each half of the real set by one half of the synthetic set.
std::array<double, 2> coverageOf(const MetricInputs& in, const Split& split,
                                 const std::vector<std::uint8_t>& syntheticHalf) {
    const NeighborTable& table = in.pair.realToSynthetic;
    std::array<std::uint64_t, 2> sum{};
    for (std::size_t i = 0; i < split.half.size(); ++i) {
        if (split.half[i] == kNeither)
            continue;
        std::size_t inside = 0;
        for (std::size_t rank = 0; rank < table.k && inside < in.k && table.distanceAt(i, rank) <= split.radius[i];
             ++rank)
            inside += syntheticHalf[table.indexAt(i, rank)] == split.half[i] ? 1 : 0;
        sum[split.half[i]] += inside;
    }
    const std::size_t most = in.k * (split.half.size() / 2);
    const auto whole = static_cast<double>(most);
    return {static_cast<double>(sum[0]) / whole, static_cast<double>(sum[1]) / whole};
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

double halfDifference(const std::array<double, 2>& of) {
    return (of[0] - of[1]) / 2.0;
}

} // namespace

HalfShifts halfShifts(const MetricInputs& in) {
    HalfShifts shifts;
    if (!realHalvesServe(in))
        return shifts;
    const bool both = bothHalvesServe(in);
    shifts.clippedDensity.assign(kSplits, 0.0);
    shifts.realFidelity.assign(kSplits, 0.0);
    shifts.coverage.assign(both ? kSplits : 0, 0.0);
    const std::uint64_t seed = streamSeed(in.seed, "halves of " + std::string(in.stream));
    parallelFor(kSplits, in.threads, in.job, [&](std::size_t s, unsigned) {
        const Split split = makeSplit(in, s);
        in.job.throwIfStopped();
        const std::array<double, 2> real = realFidelity(in, split);
        shifts.realFidelity[s] = halfDifference(real);
        const std::array<double, 2> synthetic = syntheticFidelity(in, split);
        if (real[0] > 0.0 && real[1] > 0.0)
            shifts.clippedDensity[s] = halfDifference({synthetic[0] / real[0], synthetic[1] / real[1]});
        in.job.throwIfStopped();
        if (both)
            shifts.coverage[s] =
                halfDifference(coverageOf(in, split, randomHalves(in.pair.syntheticToReal.rows(), seed, s)));
    });
    return shifts;
}

} // namespace assay
