#include "engine/metrics/set_tests/regions.h"

#include "engine/data/matrix_view.h"
#include "engine/math/statistics/conformal.h"
#include "engine/math/statistics/significance_tests.h"

#include <algorithm>
#include <functional>
#include <span>

namespace assay {
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
    return search.cross({set, {cells.centres.data(), cells.count(), cells.dim}, 1, 0, {}, {}, {}}, job).aToB.index;
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
