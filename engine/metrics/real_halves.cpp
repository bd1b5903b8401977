#include "engine/metrics/real_halves.h"

#include "engine/audit/audit_result.h"
#include "engine/demo/random.h"
#include "engine/job/parallel.h"
#include "engine/stats/bootstrap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace assay::metrics {
namespace {

constexpr std::size_t kSplits = 64; ///< the variance found from them is good to a sixth
constexpr std::uint8_t kNeither = 2;

/// A random split of the real set into halves, and in each the clipped balls that an audit of it alone would have.
struct Split {
    std::vector<std::uint8_t> half;    ///< per real row: 0, 1, or neither for the last of an odd number
    std::vector<double> clippedRadius; ///< among the rows of its own half
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

Split makeSplit(const MetricInputs& in, std::uint64_t number) {
    const std::size_t rows = in.real.set->rows();
    std::vector<std::uint32_t> order(rows);
    std::iota(order.begin(), order.end(), 0U);
    demo::Random random = demo::Random::forItem(streamSeed(in.seed, "halves of the real set"), number);
    random.shuffle(order);
    Split split{std::vector<std::uint8_t>(rows, kNeither), std::vector<double>(rows, -1.0)};
    for (std::size_t i = 0; i < rows / 2 * 2; ++i)
        split.half[order[i]] = i < rows / 2 ? 0 : 1;
    std::array<std::vector<double>, 2> radii;
    for (std::size_t i = 0; i < rows; ++i) {
        if (split.half[i] == kNeither)
            continue;
        split.clippedRadius[i] = radiusWithin(in.real.neighbors, i, in.k, split.half);
        radii[split.half[i]].push_back(split.clippedRadius[i]);
    }
    const std::array<double, 2> most{median(std::move(radii[0])), median(std::move(radii[1]))};
    split.largest = std::max(most[0], most[1]);
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
    const double whole = static_cast<double>(in.k) * static_cast<double>(holding.size() / 2);
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

/// Mean fidelity over that of the real set, in the first half less the second.
double densityDifference(const MetricInputs& in, const Split& split) {
    const std::array<double, 2> real = realFidelity(in, split);
    if (!(real[0] > 0.0 && real[1] > 0.0))
        return 0.0;
    const std::size_t rows = in.pair.syntheticToReal.rows();
    std::array<double, 2> sum{};
    for (std::size_t j = 0; j < rows; ++j) {
        const std::array<double, 2> own = fidelityOf(in, split, j);
        sum[0] += own[0];
        sum[1] += own[1];
    }
    return (sum[0] / real[0] - sum[1] / real[1]) / static_cast<double>(rows);
}

} // namespace

bool realHalvesServe(const MetricInputs& in) {
    const std::size_t rows = in.real.set->rows();
    // A half's k-th neighbour is about the 2k-th of all.
    return rows >= 4 * in.k && in.real.neighbors.k >= std::min(rows - 1, 2 * in.k + 8);
}

std::vector<double> clippedDensityShifts(const MetricInputs& in) {
    if (!realHalvesServe(in))
        return {};
    std::vector<double> shifts(kSplits);
    parallelFor(kSplits, in.threads, in.job,
                [&](std::size_t s, unsigned) { shifts[s] = densityDifference(in, makeSplit(in, s)) / 2.0; });
    return shifts;
}

std::vector<double> realFidelityShifts(const MetricInputs& in) {
    if (!realHalvesServe(in))
        return {};
    std::vector<double> shifts(kSplits);
    parallelFor(kSplits, in.threads, in.job, [&](std::size_t s, unsigned) {
        const std::array<double, 2> real = realFidelity(in, makeSplit(in, s));
        shifts[s] = (real[0] - real[1]) / 2.0;
    });
    return shifts;
}

} // namespace assay::metrics
