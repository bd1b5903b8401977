#include "engine/metrics/verdicts/group_tests.h"

#include "engine/math/statistics/bootstrap.h"
#include "engine/math/statistics/quantile.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/verdicts/real_partition.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

namespace assay {
namespace {

constexpr double kReported = 0.001; // p-value

/// A new sample of a group of few is often somewhat farther from it than they are from each other.
constexpr double kReach = 1.5;

/// Per unit: kReach times the largest distance of one of its rows to the nearest other one; of units of one row the
/// median of all.
std::vector<double> spreadsOf(const RealPartition& partition, const NeighborTable& real) {
    std::vector<double> spread(partition.rows.size(), -1.0);
    for (std::uint32_t row = 0; row < partition.unit.size(); ++row) {
        const std::uint32_t unit = partition.unit[row];
        for (std::size_t rank = 0; rank < real.k; ++rank)
            if (partition.unit[real.indexAt(row, rank)] == unit) {
                spread[unit] = std::max(spread[unit], kReach * real.distanceAt(row, rank));
                break;
            }
    }
    std::vector<double> known;
    std::ranges::copy_if(spread, std::back_inserter(known), [](double one) { return one >= 0.0; });
    if (known.empty())
        return {};
    const double middle = median(known);
    std::ranges::replace_if(
        spread, [](double one) { return one < 0.0; }, middle);
    return spread;
}

} // namespace

std::vector<GroupUse> groupUse(const EmbeddingSet& real, const NeighborTable& toReal) {
    const ClassLabels& groups = real.groups();
    std::vector<GroupUse> use(groups.names.size());
    for (std::size_t code = 0; code < use.size(); ++code)
        use[code].name = groups.names[code];
    for (const std::uint32_t code : groups.code)
        ++use[code].realRows;
    if (real.hasGroups())
        for (std::size_t row = 0; row < toReal.rows(); ++row)
            ++use[groups.code[toReal.indexAt(row, 0)]].nearest;
    std::erase_if(use, [](const GroupUse& one) { return one.name.empty(); });
    std::ranges::stable_sort(use, std::greater(), &GroupUse::nearest);
    return use;
}

bool GroupTests::isReported() const noexcept {
    constexpr double kExcess = 0.01;
    return p <= kReported && share() - byChance() >= kExcess;
}

bool GroupTests::marks() const noexcept {
    constexpr double kExcess = 0.05;
    const std::size_t units = independent == 0 ? of : independent;
    const auto count = static_cast<std::size_t>(std::llround(share() * static_cast<double>(units)));
    return isReported() && clopperPearson(count, units).low >= byChance() + kExcess;
}

GroupTests testGroups(const RealAnalysis& real, const NeighborTable& toReal, const SampleUnits& units) {
    const RealPartition& partition = *real.partition;
    const std::size_t samples = toReal.rows();
    const std::size_t groups = partition.rows.size();
    GroupTests tests;
    tests.of = units.count(samples);
    tests.ofReal = groups;
    std::size_t own = 0;
    for (std::uint32_t row = 0; row < partition.unit.size(); ++row)
        for (std::size_t rank = 0; rank < real.k; ++rank)
            own += partition.unit[real.neighbors.indexAt(row, rank)] == partition.unit[row] ? 1 : 0;
    tests.ownNeighbors = static_cast<double>(own) / static_cast<double>(partition.unit.size() * real.k);
    const std::vector<double> spread = spreadsOf(partition, real.neighbors);
    if (spread.empty() || groups < 2)
        return tests;
    const std::vector<bool> stands = units.stands(samples);
    const std::size_t compared = units.count(samples);
    std::vector<std::size_t> use(groups, 0);  // by samples that stand for their units
    std::vector<std::size_t> rows(groups, 0); // by all samples
    std::vector<bool> holds(groups, false);   // whether any sample is inside
    for (std::uint32_t row = 0; row < samples; ++row) {
        const std::uint32_t unit = partition.unit[toReal.indexAt(row, 0)];
        const bool isInside = toReal.distanceAt(row, 0) <= spread[unit];
        ++rows[unit];
        use[unit] += stands[row] ? 1 : 0;
        tests.inside += isInside && stands[row] ? 1 : 0;
        if (isInside) {
            tests.rows.push_back(row);
            holds[unit] = true;
        }
    }
    std::vector<std::size_t> realUse(groups, 0);
    for (const std::uint32_t row : partition.rows) {
        const std::uint32_t unit = partition.unit[partition.distances.nearestRow[row]];
        ++realUse[unit];
        tests.realInside += partition.distances.nearest[row] <= spread[unit] ? 1 : 0;
    }
    const auto pOf = [&](std::size_t inside, std::size_t of) {
        return fisherExact(inside, of, tests.realInside, tests.ofReal, Alternative::Greater);
    };
    tests.p = pOf(tests.inside, tests.of);
    if (!units.areKnown) {
        // Either all samples are independent, or those inside one group belong together: it has to be sure in both
        // cases.
        const auto held = static_cast<std::size_t>(std::ranges::count(holds, true));
        const std::size_t expected = std::max<std::size_t>(1, samples * groups / partition.unit.size());
        tests.inside = tests.rows.size();
        tests.of = samples;
        tests.independent = std::min(samples, expected);
        tests.p = std::max(pOf(tests.inside, tests.of), pOf(std::min(held, expected), expected));
    }

    constexpr double kRate = 0.01;
    constexpr double kLeast = 0.05;
    constexpr double kTimes = 3.0;
    std::vector<double> p(groups);
    for (std::size_t unit = 0; unit < groups; ++unit)
        p[unit] = fisherExact(use[unit], compared, realUse[unit], groups - 1, Alternative::Greater);
    p = benjaminiHochberg(p);
    const std::vector<std::uint32_t> sizes = sizesOf(partition.unit);
    for (const std::uint32_t row : partition.rows) {
        const std::uint32_t unit = partition.unit[row];
        const double share = static_cast<double>(use[unit]) / static_cast<double>(compared);
        const double usual = static_cast<double>(realUse[unit]) / static_cast<double>(groups - 1);
        if (p[unit] <= kRate && share >= kLeast && share >= kTimes * usual && real.set->hasGroups())
            tests.overused.push_back({real.set->groupText(row), sizes[unit], rows[unit]});
    }
    std::ranges::stable_sort(tests.overused, std::greater(), &GroupUse::nearest);
    return tests;
}

namespace metrics {

double ownGroupNeighbors(const MetricInputs& in) {
    return in.get<GroupTests>().ownNeighbors;
}

} // namespace metrics

} // namespace assay
