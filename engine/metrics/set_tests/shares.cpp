#include "engine/metrics/set_tests/shares.h"

#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/tables/values.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace assay {
namespace {

constexpr double kClassDiscoveryRate = 0.02;
constexpr double kMinRatio = 1.5;
constexpr std::size_t kFrequentClass = 30; ///< real samples
constexpr double kLossChance = 0.01;
constexpr double kMarkingShare = 0.05;
constexpr std::size_t kLabelDraws = 100;
constexpr std::size_t kClassesPerCheck = 4096;

/// Statistics that are compared with draws of labels.
struct DrawnStatistics {
    double missing = 0.0;   ///< classes with real samples and no synthetic ones
    double chiSquare = 0.0; ///< up to a constant factor
};

/// Adds the samples of one class.
void addClassCounts(DrawnStatistics& statistics, std::size_t real, std::size_t synthetic, const ClassShares& shares) {
    const double gap = static_cast<double>(real) / static_cast<double>(shares.real) -
                       static_cast<double>(synthetic) / static_cast<double>(shares.synthetic);
    statistics.missing += real > 0 && synthetic == 0 ? 1.0 : 0.0;
    statistics.chiSquare += real + synthetic > 0 ? gap * gap / static_cast<double>(real + synthetic) : 0.0;
}

/// Statistics of one draw of labels over the pooled samples: the multivariate hypergeometric law, class by class.
/// @param pooled samples of each class
DrawnStatistics drawnStatistics(const ClassShares& shares, std::span<const std::size_t> pooled, Random random,
                                const JobContext& job) {
    DrawnStatistics statistics;
    MarkedDraws left{shares.real + shares.synthetic, 0, shares.real};
    for (std::size_t c = 0; c < pooled.size(); ++c) {
        if (c % kClassesPerCheck == 0)
            job.throwIfStopped();
        left.marked = pooled[c];
        const std::size_t real = drawMarked(left, random);
        addClassCounts(statistics, real, pooled[c] - real, shares);
        left.population -= pooled[c];
        left.drawn -= real;
    }
    return statistics;
}

/// Columns of the statistics of all draws.
struct DrawnColumns {
    std::vector<double> missing = std::vector<double>(kLabelDraws);
    std::vector<double> chiSquare = std::vector<double>(kLabelDraws);
};

DrawnColumns drawLabels(const ClassShares& shares, const ComputeContext& context) {
    std::vector<std::size_t> pooled(shares.realCounts.size());
    for (std::size_t c = 0; c < pooled.size(); ++c)
        pooled[c] = std::size_t{shares.realCounts[c]} + shares.syntheticCounts[c];
    std::ranges::sort(pooled, std::greater()); // codes follow the order of a file; draws must not
    DrawnColumns columns;
    const std::uint64_t seed = streamSeed(context.seed, "class shares");
    parallelFor(kLabelDraws, context.threads, context.job.part({}, 0.0, 0.0), [&](std::size_t draw, unsigned) {
        const DrawnStatistics statistics =
            drawnStatistics(shares, pooled, Random::forItem(seed, draw), context.job.silent());
        columns.missing[draw] = statistics.missing;
        columns.chiSquare[draw] = statistics.chiSquare;
    });
    return columns;
}

/// The classes for which `holds` is true, those with the largest `key` first.
template <typename Condition, typename Key>
std::vector<std::uint32_t> classesBy(std::size_t classes, const Condition& holds, const Key& key) {
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t c = 0; c < classes; ++c)
        if (holds(c))
            chosen.push_back(c);
    std::ranges::stable_sort(chosen, std::greater(), key);
    return chosen;
}

/// Whether each class's share differs surely and by a factor.
std::vector<bool> differing(const ClassShares& shares) {
    const std::vector<double> adjusted = benjaminiHochberg(shares.p);
    std::vector<bool> differs(adjusted.size());
    for (std::size_t c = 0; c < differs.size(); ++c) {
        const auto [less, more] = std::minmax({shares.realShare(c), shares.syntheticShare(c)});
        differs[c] = adjusted[c] <= kClassDiscoveryRate && more >= kMinRatio * less;
    }
    return differs;
}

void nameClasses(ClassShares& shares) {
    const std::size_t classes = shares.p.size();
    const std::vector<bool> differs = differing(shares);
    const auto gap = [&](std::uint32_t c) { return shares.syntheticShare(c) - shares.realShare(c); };
    const auto frequency = [&](std::uint32_t c) { return shares.realCounts[c]; };
    const auto frequent =
        std::ranges::count_if(shares.realCounts, [](std::uint32_t count) { return count >= kFrequentClass; });
    const double chance = kLossChance / std::max(1.0, static_cast<double>(frequent));
    const auto isMissing = [&](std::uint32_t c) { return shares.realCounts[c] > 0 && shares.syntheticCounts[c] == 0; };
    const auto isLost = [&](std::uint32_t c) {
        const MarkedDraws draws{shares.real + shares.synthetic, shares.realCounts[c], shares.synthetic};
        return isMissing(c) &&
               (differs[c] || (shares.realCounts[c] >= kFrequentClass && hypergeometricAtMost(0, draws) <= chance));
    };
    shares.over = classesBy(
        classes, [&](std::uint32_t c) { return differs[c] && gap(c) > 0.0; }, gap);
    shares.under = classesBy(
        classes, [&](std::uint32_t c) { return differs[c] && gap(c) < 0.0 && !isLost(c); },
        [&](std::uint32_t c) { return -gap(c); });
    shares.missing = classesBy(classes, isMissing, frequency);
    shares.lost = classesBy(classes, isLost, frequency);
}

void compareWithDraws(ClassShares& shares, const DrawnColumns& drawn) {
    double leftOut = 0.0; // by independent draws of the real shares
    DrawnStatistics given;
    for (std::size_t c = 0; c < shares.realCounts.size(); ++c) {
        addClassCounts(given, shares.realCounts[c], shares.syntheticCounts[c], shares);
        if (shares.realCounts[c] > 0)
            leftOut += std::pow(1.0 - shares.realShare(c), static_cast<double>(shares.synthetic));
    }
    const metrics::Moments missing = metrics::momentsOf(drawn.missing);
    shares.missingByChance = std::max(missing.mean, leftOut);
    const double least = 4.0 * std::max(missing.deviation, 0.25);
    shares.tooManyMissing =
        given.missing > std::ranges::max(drawn.missing) && given.missing - shares.missingByChance >= least;
    const metrics::Moments chiSquare = metrics::momentsOf(drawn.chiSquare);
    const double limit = std::max(std::ranges::max(drawn.chiSquare), chiSquare.mean + 5.0 * chiSquare.deviation);
    shares.distributionDiffers = shares.over.empty() && shares.under.empty() && shares.lost.empty() &&
                                 !shares.tooManyMissing && given.chiSquare > limit;
}

void sumSurplus(ClassShares& shares) {
    for (const std::uint32_t c : shares.lost)
        shares.lostShare += shares.realShare(c);
    for (const std::uint32_t c : shares.over)
        shares.overSurplus += shares.syntheticShare(c) - shares.realShare(c);
    shares.explainedSurplus = shares.overSurplus;
    if (!shares.tooManyMissing && shares.lost.empty())
        return;
    shares.explainedSurplus = 0.0; // what lost classes leave goes to all others
    for (std::size_t c = 0; c < shares.realCounts.size(); ++c)
        shares.explainedSurplus += std::max(0.0, shares.syntheticShare(c) - shares.realShare(c));
}

} // namespace

void ClassShares::keepMissing(std::span<const std::uint32_t> allCounts) {
    const auto isThere = [&](std::uint32_t code) { return allCounts[code] > 0; };
    std::erase_if(missing, isThere);
    if (std::erase_if(lost, isThere) > 0) {
        lostShare = 0.0;
        for (const std::uint32_t code : lost)
            lostShare += realShare(code);
        tooManyMissing = tooManyMissing && static_cast<double>(missing.size()) > missingByChance;
    }
}

double ClassShares::realShare(std::size_t code) const {
    return static_cast<double>(realCounts[code]) / static_cast<double>(real);
}

double ClassShares::syntheticShare(std::size_t code) const {
    return static_cast<double>(syntheticCounts[code]) / static_cast<double>(synthetic);
}

bool ClassShares::lossMarks() const {
    return tooManyMissing || lostShare >= kMarkingShare;
}

bool ClassShares::surplusMarks() const {
    return overSurplus >= kMarkingShare;
}

ClassShares classShares(std::span<const std::uint32_t> realCounts, std::span<const std::uint32_t> syntheticCounts,
                        const ComputeContext& context) {
    ClassShares shares;
    shares.realCounts.assign(realCounts.begin(), realCounts.end());
    shares.syntheticCounts.assign(syntheticCounts.begin(), syntheticCounts.end());
    shares.real = std::accumulate(realCounts.begin(), realCounts.end(), std::size_t{0});
    shares.synthetic = std::accumulate(syntheticCounts.begin(), syntheticCounts.end(), std::size_t{0});
    shares.realClasses = realCounts.size() - static_cast<std::size_t>(std::ranges::count(realCounts, 0U));
    shares.p.assign(realCounts.size(), 1.0);
    if (shares.real == 0 || shares.synthetic == 0)
        return shares;
    for (std::size_t c = 0; c < shares.p.size(); ++c) {
        if (c % kClassesPerCheck == 0)
            context.job.throwIfStopped();
        shares.p[c] = fisherExact(syntheticCounts[c], shares.synthetic, realCounts[c], shares.real);
    }
    nameClasses(shares);
    compareWithDraws(shares, drawLabels(shares, context));
    sumSurplus(shares);
    return shares;
}

namespace {

constexpr std::size_t kMaxRowsToCut = 1000;
constexpr std::size_t kMinRegionRows = 20; ///< on either side
constexpr std::size_t kStarts = 3;
constexpr double kRegionDiscoveryRate = 0.01;
constexpr double kManyRatio = 1.5;
constexpr double kNearlyEmptyRatio = 0.25;
constexpr double kMarkingLoss = 0.05;

/// The nearest centre of every row, the lower one on ties.
std::vector<std::uint32_t> nearestRegions(MatrixView set, const Cells& cells, const NeighborSearch& search,
                                          const JobContext& job) {
    return search.nearest(set, {cells.centres.data(), cells.count(), cells.dim}, 1, job).index;
}

std::vector<std::uint32_t> countRows(const std::vector<std::uint32_t>& cell, std::span<const std::uint32_t> rows,
                                     std::size_t cells) {
    std::vector<std::uint32_t> counts(cells, 0);
    for (const std::uint32_t row : rows)
        ++counts[cell[row]];
    return counts;
}

std::size_t sumOver(const std::vector<std::uint32_t>& regions, const std::vector<std::uint32_t>& counts) {
    std::size_t sum = 0;
    for (const std::uint32_t region : regions)
        sum += counts[region];
    return sum;
}

/// The rows that lie in one of some regions, ascending.
std::vector<std::uint32_t> rowsIn(const std::vector<std::uint32_t>& regions, const std::vector<std::uint32_t>& cell) {
    return rowsWhere(regions.empty() ? 0 : cell.size(),
                     [&](std::size_t row) { return std::ranges::find(regions, cell[row]) != regions.end(); });
}

void nameRegions(RegionShares& shares, const std::vector<std::uint32_t>& realCounts) {
    for (std::size_t c = 0; c < realCounts.size(); ++c)
        shares.p.push_back(fisherExact(shares.counts[c], shares.synthetic, realCounts[c], shares.real));
    const std::vector<double> adjusted = benjaminiHochberg(shares.p);
    const auto realShare = [&](std::uint32_t c) {
        return static_cast<double>(realCounts[c]) / static_cast<double>(shares.real);
    };
    const auto share = [&](std::uint32_t c) {
        return static_cast<double>(shares.counts[c]) / static_cast<double>(shares.synthetic);
    };
    for (std::uint32_t c = 0; c < adjusted.size(); ++c) {
        if (adjusted[c] > kRegionDiscoveryRate)
            continue;
        if (share(c) >= kManyRatio * realShare(c))
            shares.many.push_back(c);
        if (share(c) <= kNearlyEmptyRatio * realShare(c))
            shares.nearlyEmpty.push_back(c);
    }
    std::ranges::stable_sort(shares.many, std::greater(), [&](std::uint32_t c) { return share(c) - realShare(c); });
    std::ranges::stable_sort(shares.nearlyEmpty, std::greater(),
                             [&](std::uint32_t c) { return realShare(c) - share(c); });
}

void sumRegions(RegionShares& shares, const std::vector<std::uint32_t>& realCounts) {
    const auto synthetic = static_cast<double>(shares.synthetic);
    const auto real = static_cast<double>(shares.real);
    const std::size_t inEmpty = sumOver(shares.nearlyEmpty, shares.counts);
    const std::size_t realInEmpty = sumOver(shares.nearlyEmpty, realCounts);
    shares.manyShare = static_cast<double>(sumOver(shares.many, shares.counts)) / synthetic;
    shares.manyRealShare = static_cast<double>(sumOver(shares.many, realCounts)) / real;
    shares.nearlyEmptyShare = static_cast<double>(inEmpty) / synthetic;
    shares.nearlyEmptyRealShare = static_cast<double>(realInEmpty) / real;
    shares.nearlyEmptyBounds = clopperPearson(inEmpty, shares.synthetic);
    shares.nearlyEmptyRealBounds = clopperPearson(realInEmpty, shares.real);
}

} // namespace

std::size_t RealRegions::countFor(std::size_t comparedRows) noexcept {
    return std::clamp<std::size_t>(comparedRows / 100, 2, 50);
}

RealRegions cutRegions(const ComparedRows& real, const NeighborSearch& search, const ComputeContext& context) {
    const std::size_t fitted = std::min(kMaxRowsToCut, real.size() / 2);
    RealRegions regions;
    if (fitted < kMinRegionRows)
        return regions;
    const std::vector<float> some = gatherRows(real.set, std::span(real.rows).first(fitted));
    constexpr double kFitted = 0.5; // part of the job
    ComputeContext fitting = context.part(0.0, kFitted);
    fitting.seed = streamSeed(context.seed, "regions");
    regions.cells = kMeans({some.data(), fitted, real.set.dim}, RealRegions::countFor(real.size()), fitting, kStarts);
    regions.cells.cell = nearestRegions(real.set, regions.cells, search, context.job.part({}, kFitted, 1.0));
    regions.countedRows.assign(real.rows.begin() + static_cast<std::ptrdiff_t>(fitted), real.rows.end());
    regions.counts = countRows(regions.cells.cell, regions.countedRows, regions.cells.count());
    return regions;
}

bool RegionShares::marks() const noexcept {
    return !nearlyEmpty.empty() && nearlyEmptyRealBounds.low - nearlyEmptyBounds.high >= kMarkingLoss;
}

RegionShares regionShares(const RealRegions& regions, const ComparedRows& synthetic, const NeighborSearch& search,
                          const JobContext& job) {
    RegionShares shares;
    shares.synthetic = synthetic.size();
    shares.real = regions.countedRows.size();
    if (regions.empty() || shares.synthetic < kMinRegionRows)
        return shares;
    shares.cell = nearestRegions(synthetic.set, regions.cells, search, job);
    shares.counts = countRows(shares.cell, synthetic.rows, regions.cells.count());
    nameRegions(shares, regions.counts);
    sumRegions(shares, regions.counts);
    shares.rowsInMany = rowsIn(shares.many, shares.cell);
    shares.realRowsInNearlyEmpty = rowsIn(shares.nearlyEmpty, regions.cells.cell);
    return shares;
}

} // namespace assay
