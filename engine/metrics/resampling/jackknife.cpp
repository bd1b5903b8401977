#include "engine/metrics/resampling/jackknife.h"

#include "engine/base/mixed_bits.h"
#include "engine/base/parallel.h"
#include "engine/data/equal_rows.h"
#include "engine/math/statistics/quantile.h"
#include "engine/metrics/entropy/entropy.h"
#include "engine/metrics/resampling/averages.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/metrics/tables/values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace assay {
namespace {

constexpr std::size_t kRowsBetweenChecks = 4096;
constexpr std::uint32_t kLeftOut = ~std::uint32_t{0};
constexpr std::uint32_t kNoGroup = ~std::uint32_t{0};
constexpr double kNoBall = -1.0; ///< radius of a row that is left out

/// The rows of one set that remain without one of its groups.
struct KeptRows {
    /// @param leftOut kNoGroup: every row remains
    KeptRows(const RowGroups& groups, std::uint32_t leftOut) : number(groups.group.size(), kLeftOut) {
        for (std::size_t row = 0; row < number.size(); ++row)
            if (groups.group[row] != leftOut)
                number[row] = count++;
    }

    bool contains(std::size_t row) const noexcept { return number[row] != kLeftOut; }

    std::vector<std::uint32_t> number; ///< per row: its number among those that remain, or kLeftOut
    std::uint32_t count = 0;
};

/// Neighbour lists of the kept rows among the kept rows of the base set, with their numbers there.
/// @param depth neighbours per row
NeighborTable keptPart(const NeighborTable& table, const KeptRows& rows, const KeptRows& base, std::size_t depth,
                       const JobContext& job) {
    NeighborTable part;
    part.k = std::min(depth, table.k);
    part.index.reserve(rows.count * part.k);
    part.distance.reserve(rows.count * part.k);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (row % kRowsBetweenChecks == 0)
            job.throwIfStopped();
        if (!rows.contains(row))
            continue;
        std::size_t found = 0;
        std::uint32_t last = 0;
        for (std::size_t rank = 0; rank < table.k && found < part.k; ++rank) {
            const std::uint32_t neighbor = base.number[table.indexAt(row, rank)];
            if (neighbor == kLeftOut)
                continue;
            last = neighbor;
            part.index.push_back(neighbor);
            part.distance.push_back(table.distanceAt(row, rank));
            ++found;
        }
        part.index.resize(part.index.size() + part.k - found, last);
        part.distance.resize(part.distance.size() + part.k - found, table.distanceAt(row, table.k - 1));
    }
    return part;
}

/// Radii of all rows of a set from those of the kept rows.
std::vector<double> spread(std::span<const double> radius, const KeptRows& rows) {
    std::vector<double> all(rows.number.size(), kNoBall);
    for (std::size_t row = 0; row < all.size(); ++row)
        if (rows.contains(row))
            all[row] = radius[rows.number[row]];
    return all;
}

/// Calls visit(centre, other, distance) once for every pair of rows of which `other` lies in the ball around `centre`
/// and the list of at least one contains the other.
/// @param radius per centre
template <typename Visit>
void visitBalls(const NeighborTable& fromCentres, const NeighborTable& fromOthers, std::span<const double> radius,
                const JobContext& job, const Visit& visit) {
    const std::size_t listed = fromCentres.k;
    bool anyCut = false;
    for (std::size_t centre = 0; centre < radius.size(); ++centre) {
        if (centre % kRowsBetweenChecks == 0)
            job.throwIfStopped();
        std::size_t rank = 0;
        for (; rank < listed && fromCentres.distanceAt(centre, rank) <= radius[centre]; ++rank)
            visit(centre, fromCentres.indexAt(centre, rank), fromCentres.distanceAt(centre, rank));
        anyCut = anyCut || rank == listed;
    }
    if (!anyCut || listed == fromOthers.rows())
        return;
    for (std::size_t other = 0; other < fromOthers.rows(); ++other) {
        if (other % kRowsBetweenChecks == 0)
            job.throwIfStopped();
        for (std::size_t rank = 0; rank < fromOthers.k; ++rank) {
            const std::uint32_t centre = fromOthers.indexAt(other, rank);
            const Measured pair{fromOthers.distanceAt(other, rank), static_cast<std::uint32_t>(other)};
            const Measured end{fromCentres.distanceAt(centre, listed - 1), fromCentres.indexAt(centre, listed - 1)};
            if (pair.distance <= radius[centre] && end < pair)
                visit(centre, pair.index, pair.distance);
        }
    }
}

/// Lengths of the neighbour lists that the metrics read.
struct Depths {
    explicit Depths(const MetricInputs& in)
        : own(std::max(in.k, in.cover.neighbors())), cross(std::max(in.k, in.cover.k)) {}

    std::size_t own, cross;
};

/// Tables within the real set without one group, as far as the metrics read them.
RealAnalysis realWithout(const MetricInputs& in, const KeptRows& kept) {
    const NeighborTable& table = in.real.neighbors;
    RealAnalysis real;
    real.set = in.real.set;
    real.k = in.k;
    real.neighbors = keptPart(table, kept, kept, Depths(in).own, in.job);
    real.radius = real.neighbors.distancesAt(in.k);
    real.medianRadius = median(real.radius);
    real.innerRadius = metrics::mapped(real.radius, [&](double radius) { return std::min(radius, real.medianRadius); });
    real.entropy = metrics::meanOf(metrics::entropyTerms(real.radius, kept.count - 1, in.k, real.set->dim()));
    real.innerHolding.resize(kept.count);
    visitBalls(table, table, spread(real.innerRadius, kept), in.job, [&](std::size_t, std::uint32_t other, double) {
        if (kept.contains(other))
            ++real.innerHolding[kept.number[other]];
    });
    return real;
}

/// Pairs of a ball and a synthetic sample in it, counted per real row (the ball) and per sample.
struct PairCounts {
    std::vector<std::uint32_t> perBall, perSample;
};

/// Sum of the counts of the kept rows.
std::uint64_t sumOf(std::span<const std::uint32_t> counts, const KeptRows& kept) {
    std::uint64_t sum = 0;
    for (std::size_t row = 0; row < counts.size(); ++row)
        sum += kept.contains(row) ? counts[row] : 0;
    return sum;
}

/// Pairs that no list contains. Only balls that hold a whole list have such.
struct UnlistedPairs {
    explicit UnlistedPairs(const MetricInputs& in)
        : balls{in.pair.real.inside, in.pair.synthetic.holding}, clippedBalls{in.pair.real.insideInner,
                                                                              in.pair.synthetic.innerHolding} {
        visitBalls(in.pair.real.nearest, in.pair.synthetic.nearest, in.real.radius, in.job,
                   [&](std::size_t ball, std::uint32_t sample, double distance) {
                       const std::uint32_t isClipped = distance <= in.real.innerRadius[ball] ? 1 : 0;
                       --balls.perBall[ball];
                       --balls.perSample[sample];
                       clippedBalls.perBall[ball] -= isClipped;
                       clippedBalls.perSample[sample] -= isClipped;
                   });
    }

    PairCounts balls, clippedBalls;
};

/// Adds to the count of each kept ball its unlisted pairs with kept samples. Which these are is not known: every ball
/// has the same share of its pairs with them.
void addPairs(std::vector<std::uint32_t>& inside, const PairCounts& pairs, const KeptRows& keptReal,
              const KeptRows& keptSynthetic) {
    const std::uint64_t all = std::accumulate(pairs.perSample.begin(), pairs.perSample.end(), std::uint64_t{0});
    if (all == 0)
        return;
    const double share = static_cast<double>(sumOf(pairs.perSample, keptSynthetic)) / static_cast<double>(all);
    for (std::size_t row = 0; row < keptReal.number.size(); ++row)
        if (keptReal.contains(row))
            inside[keptReal.number[row]] +=
                static_cast<std::uint32_t>(std::lround(share * static_cast<double>(pairs.perBall[row])));
}

/// Tables between both sets without one group.
/// @param real tables of the kept real rows
PairTables pairWithout(const MetricInputs& in, const RealAnalysis& real, const KeptRows& keptReal,
                       const KeptRows& keptSynthetic, const UnlistedPairs& unlisted) {
    const Depths depths(in);
    const PairTables& whole = in.pair;
    PairTables pair;
    pair.syntheticToSynthetic = keptPart(whole.syntheticToSynthetic, keptSynthetic, keptSynthetic, depths.own, in.job);
    pair.synthetic.nearest = keptPart(whole.synthetic.nearest, keptSynthetic, keptReal, depths.cross, in.job);
    pair.real.nearest = keptPart(whole.real.nearest, keptReal, keptSynthetic, depths.cross, in.job);
    pair.syntheticRadius = pair.syntheticToSynthetic.distancesAt(in.k);
    pair.synthetic.holding.resize(keptSynthetic.count);
    pair.synthetic.innerHolding.resize(keptSynthetic.count);
    pair.real.inside.resize(keptReal.count);
    pair.real.insideInner.resize(keptReal.count);
    pair.real.holding.resize(keptReal.count);
    visitBalls(whole.real.nearest, whole.synthetic.nearest, spread(real.radius, keptReal), in.job,
               [&](std::size_t centre, std::uint32_t other, double distance) {
                   if (!keptSynthetic.contains(other))
                       return;
                   const std::uint32_t ball = keptReal.number[centre];
                   const std::uint32_t row = keptSynthetic.number[other];
                   ++pair.real.inside[ball];
                   ++pair.synthetic.holding[row];
                   const std::uint32_t isClipped = distance <= real.innerRadius[ball] ? 1 : 0;
                   pair.real.insideInner[ball] += isClipped;
                   pair.synthetic.innerHolding[row] += isClipped;
               });
    addPairs(pair.real.inside, unlisted.balls, keptReal, keptSynthetic);
    addPairs(pair.real.insideInner, unlisted.clippedBalls, keptReal, keptSynthetic);
    visitBalls(whole.synthetic.nearest, whole.real.nearest, spread(pair.syntheticRadius, keptSynthetic), in.job,
               [&](std::size_t, std::uint32_t other, double) {
                   if (keptReal.contains(other))
                       ++pair.real.holding[keptReal.number[other]];
               });
    return pair;
}

std::vector<double> valuesOf(std::span<const Metric* const> metrics, const MetricInputs& in) {
    std::vector<double> values;
    for (const Metric* metric : metrics) {
        in.job.throwIfStopped();
        const bool isOwn = metric->average != nullptr && metric->average->replicate != nullptr;
        values.push_back(isOwn ? metric->average->replicate(in) : metric->compute(in));
    }
    return values;
}

MetricInputs withTables(const MetricInputs& in, const RealAnalysis& real, const PairTables& pair) {
    return {.real = real, .pair = pair, .k = in.k, .seed = in.seed, .job = in.job, .cover = in.cover};
}

/// Replicates that are computed at the same time: as many as there are threads, while their tables are small.
unsigned workersFor(std::size_t bytes, unsigned threads) {
    constexpr std::size_t kBytesAtOnce = std::size_t{256} << 20;
    return static_cast<unsigned>(std::clamp<std::size_t>(kBytesAtOnce / bytes, 1, resolveThreads(threads)));
}

std::size_t replicateBytes(std::size_t rows, std::size_t neighbors) {
    constexpr std::size_t kScalarsPerRow = 128; // radii, counts and the columns that a metric averages
    return rows * (neighbors * (sizeof(std::uint32_t) + sizeof(double)) + kScalarsPerRow);
}

/// Whether next to no row has more neighbours at its k-th distance than are listed.
bool listsHoldTies(const NeighborTable& table, std::size_t k) {
    constexpr std::size_t kOneIn = 100;
    if (table.k + 1 >= table.rows())
        return true;
    std::size_t cut = 0;
    for (std::size_t row = 0; row < table.rows(); ++row)
        cut += table.distanceAt(row, k - 1) == table.distanceAt(row, table.k - 1) ? 1 : 0;
    return cut * kOneIn <= table.rows();
}

} // namespace

std::vector<std::uint64_t> distanceHashes(std::span<const NeighborTable* const> lists, std::uint64_t seed) {
    constexpr std::size_t kHashed = 16; // fewer than any list of an audit holds, so that its length does not matter
    const std::size_t rows = lists.front()->rows();
    std::vector<std::uint64_t> hash(rows, seed);
    for (const NeighborTable* list : lists)
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t rank = 0; rank < std::min(list->k, kHashed); ++rank)
                hash[row] = rowHashWith(hash[row], std::bit_cast<std::uint64_t>(list->distanceAt(row, rank)));
    std::ranges::transform(hash, hash.begin(), mixedBits);
    return hash;
}

RowGroups groupRows(std::span<const NeighborTable* const> lists, std::uint64_t seed,
                    std::span<const std::uint32_t> unit) {
    std::vector<std::uint64_t> hash = distanceHashes(lists, seed);
    const std::size_t rows = hash.size();
    if (!unit.empty()) {
        std::vector<std::uint64_t> ofUnit(*std::ranges::max_element(unit) + std::size_t{1}, 0);
        for (std::size_t row = 0; row < rows; ++row)
            ofUnit[unit[row]] += hash[row]; // a sum: independent of the order of the rows
        for (std::size_t row = 0; row < rows; ++row)
            hash[row] = mixedBits(ofUnit[unit[row]]);
    }
    std::vector<std::uint32_t> order(rows);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t row) { return hash[row]; });
    RowGroups groups{std::vector<std::uint32_t>(rows), 0};
    std::size_t place = RowGroups::kMaxGroups;
    for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t next = i * RowGroups::kMaxGroups / rows;
        if (next != place && (i == 0 || hash[order[i]] != hash[order[i - 1]])) {
            place = next;
            ++groups.count;
        }
        groups.group[order[i]] = groups.count - 1;
    }
    return groups;
}

double jackknifeVariance(std::span<const double> values) {
    if (values.empty())
        return 0.0;
    const auto count = static_cast<double>(values.size());
    const double mean = metrics::meanOf(values);
    double squares = 0.0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return squares * (count - 1.0) / count;
}

bool jackknifeServes(const RealAnalysis& real, const RowGroups& groups) {
    constexpr std::size_t kSpare = 4; // neighbours beyond the k-th
    const std::size_t rows = real.neighbors.rows();
    std::vector<std::size_t> sizes(groups.count, 0);
    for (const std::uint32_t group : groups.group)
        ++sizes[group];
    return rows >= 4 * real.k && real.neighbors.k >= std::min(rows - 1, real.k + kSpare) &&
           2 * std::ranges::max(sizes) <= rows && listsHoldTies(real.neighbors, real.k);
}

std::vector<Replicates> jackknife(const MetricInputs& in, std::span<const Metric* const> metrics,
                                  const RowGroups& realGroups, const RowGroups& syntheticGroups) {
    const std::uint32_t real = realGroups.count > 1 ? realGroups.count : 0;
    const std::uint32_t synthetic = syntheticGroups.count > 1 ? syntheticGroups.count : 0;
    std::vector<Replicates> replicates(metrics.size(), {std::vector<double>(real), std::vector<double>(synthetic)});
    const Depths depths(in);
    const std::size_t bytes =
        replicateBytes(realGroups.group.size() + syntheticGroups.group.size(), depths.own + depths.cross);
    const JobContext silent = in.job.silent();
    const UnlistedPairs unlisted(in);
    parallelFor(real + synthetic, workersFor(bytes, in.threads), in.job, [&](std::size_t task, unsigned) {
        MetricInputs inputs = withTables(in, in.real, in.pair);
        inputs.job = silent;
        const bool ofReal = task < real;
        const auto group = static_cast<std::uint32_t>(ofReal ? task : task - real);
        const KeptRows keptReal(realGroups, ofReal ? group : kNoGroup);
        const KeptRows keptSynthetic(syntheticGroups, ofReal ? kNoGroup : group);
        const RealAnalysis without = ofReal ? realWithout(inputs, keptReal) : RealAnalysis();
        const RealAnalysis& kept = ofReal ? without : in.real;
        const PairTables pair = pairWithout(inputs, kept, keptReal, keptSynthetic, unlisted);
        const std::vector<double> values = valuesOf(metrics, withTables(inputs, kept, pair));
        for (std::size_t m = 0; m < metrics.size(); ++m)
            (ofReal ? replicates[m].withoutReal : replicates[m].withoutSynthetic)[group] = values[m];
    });
    return replicates;
}

std::size_t jackknifeBytes(std::size_t realRows, std::size_t syntheticRows, std::size_t neighbors, unsigned threads) {
    const std::size_t bytes = replicateBytes(realRows + syntheticRows, neighbors);
    return bytes * workersFor(bytes, threads);
}

} // namespace assay
