#include "engine/metrics/set_tests/unit_scores.h"

#include "engine/math/statistics/quantile.h"
#include "engine/metrics/balls/clipped.h"
#include "engine/metrics/tables/pass_tables.h"
#include "engine/metrics/tables/values.h"
#include "engine/metrics/verdicts/real_partition.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace assay {
namespace {

constexpr double kQuantile = 1.96;

/// Mean and standard deviation (divisor n) of values.
struct Moments {
    double mean = 0.0;
    double deviation = 0.0;
};

Moments momentsOf(const std::vector<double>& values) {
    const double mean = metrics::meanOf(values);
    double squares = 0.0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return {mean, std::sqrt(squares / static_cast<double>(values.size()))};
}

/// Per-sample terms of the two scores.
struct Terms {
    std::vector<double> fidelity;
    std::vector<double> realFidelity;
    std::vector<double> coverage;
};

/// Terms of one real sample of each unit, from the neighbour lists.
Terms termsOfUnits(const MetricInputs& in, const RealPartition& partition) {
    const std::vector<double>& radius = partition.distances.kth;
    std::vector<double> radii;
    std::vector<bool> stands(partition.unit.size(), false);
    for (const std::uint32_t row : partition.rows) {
        radii.push_back(radius[row]);
        stands[row] = true;
    }
    const double limit = median(radii);
    const auto share = [&](std::size_t count) {
        return static_cast<double>(std::min(count, in.k)) / static_cast<double>(in.k);
    };
    Terms terms;
    const NeighborTable& toReal = in.pair.synthetic.nearest;
    for (std::size_t row = 0; row < toReal.rows(); ++row) {
        std::size_t holding = 0;
        for (std::size_t rank = 0; rank < toReal.k; ++rank)
            if (const std::uint32_t ball = toReal.indexAt(row, rank);
                stands[ball] && toReal.distanceAt(row, rank) <= std::min(radius[ball], limit))
                ++holding;
        terms.fidelity.push_back(share(holding));
    }
    for (const std::uint32_t row : partition.rows) {
        const NeighborTable& own = in.real.neighbors;
        std::size_t holding = 0;
        for (std::size_t rank = 0; rank < own.k; ++rank)
            if (const std::uint32_t ball = own.indexAt(row, rank);
                stands[ball] && partition.unit[ball] != partition.unit[row] &&
                own.distanceAt(row, rank) <= std::min(radius[ball], limit))
                ++holding;
        terms.realFidelity.push_back(share(holding));
        std::size_t inside = 0;
        while (inside < in.k && in.pair.real.nearest.distanceAt(row, inside) <= radius[row])
            ++inside;
        terms.coverage.push_back(share(inside));
    }
    return terms;
}

} // namespace

UnitScores unitScores(const MetricInputs& in) {
    const RealPartition& partition = *in.real.partition;
    const Terms terms = partition.isTrivial()
                            ? Terms{metrics::fidelity(in), metrics::realFidelity(in.real), metrics::coveragePerReal(in)}
                            : termsOfUnits(in, partition);
    const auto n = static_cast<double>(terms.realFidelity.size());
    const auto m = static_cast<double>(terms.fidelity.size());
    const Moments synthetic = momentsOf(terms.fidelity);
    const Moments real = momentsOf(terms.realFidelity);
    const Moments coverage = momentsOf(terms.coverage);
    constexpr double kMin = 1e-12;
    UnitScores scores;
    const double ratio = synthetic.mean / std::max(real.mean, kMin);
    const double half = kQuantile * ratio *
                        std::hypot(synthetic.deviation / std::sqrt(m) / std::max(synthetic.mean, kMin),
                                   real.deviation / std::sqrt(n) / std::max(real.mean, kMin));
    scores.clippedDensity = {ratio, ratio - half, ratio + half};
    const auto calibrated = [&](double mean) {
        const double covered = std::clamp(mean, 0.0, 1.0) * static_cast<double>(in.k) * n;
        const auto below = metrics::coveragesBelow(static_cast<std::uint64_t>(std::llround(covered)),
                                                   terms.realFidelity.size(), terms.fidelity.size(), in.k);
        return static_cast<double>(below) / (m + 1.0);
    };
    const double around = kQuantile * coverage.deviation * std::sqrt(1.0 / n + 1.0 / m);
    scores.clippedCoverage = {calibrated(coverage.mean), calibrated(coverage.mean - around),
                              calibrated(coverage.mean + around)};
    return scores;
}

} // namespace assay
