#include "engine/gpu/check/checks.h"

#include "engine/gpu/check/check_set.h"
#include "engine/gpu/check/difference.h"
#include "engine/gpu/search/pass.h"
#include "engine/neighbors/backends/kdtree_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace assay::cuda {
namespace {

// Two tiles each way, the second one filled in part.
constexpr std::size_t kRowsA = 300;
constexpr std::size_t kRowsB = 270;

CheckSet tiedDistances(std::size_t rows, std::uint64_t seed) {
    CheckSet set{rows, 6, {}};
    Random random(seed);
    for (std::size_t i = 0; i < rows * set.dim; ++i)
        set.values.push_back(static_cast<float>(random.below(3)));
    return set;
}

CheckSet duplicateRows(std::size_t rows, std::uint64_t seed) {
    constexpr std::size_t kDistinct = 23;
    // Sets of different seeds share rows.
    CheckSet set = CheckSet::bellShaped(kDistinct, 5, 1);
    std::vector<float> values;
    for (std::size_t r = 0; r < rows; ++r) {
        const auto row = set.view().row((r * 7 + seed) % kDistinct);
        values.insert(values.end(), row.begin(), row.end());
    }
    return {rows, set.dim, std::move(values)};
}

CheckSet commonOffset(std::size_t rows, std::uint64_t seed) {
    CheckSet set = CheckSet::bellShaped(rows, 37, seed);
    for (float& value : set.values)
        value += 10'000.0F;
    return set;
}

CheckSet wideMagnitudes(std::size_t rows, std::uint64_t seed) {
    CheckSet set = CheckSet::bellShaped(rows, 33, seed);
    for (std::size_t r = 0; r < rows; ++r) {
        const double factor = std::pow(10.0, static_cast<double>(r % 81) - 43.0); // 1e-43 to 1e37
        for (std::size_t c = 0; c < set.dim; ++c)
            set.values[r * set.dim + c] = static_cast<float>(set.values[r * set.dim + c] * factor);
    }
    set.values[5] = 3.4e38F;
    set.values[set.dim + 5] = -3.4e38F;
    return set;
}

template <std::size_t kDim>
CheckSet ofDimension(std::size_t rows, std::uint64_t seed) {
    return CheckSet::bellShaped(rows, kDim, seed);
}

struct SearchCase {
    const char* title;
    CheckSet (*make)(std::size_t rows, std::uint64_t seed);
    std::size_t k;
};

constexpr std::array kCases{
    SearchCase{"tied distances", tiedDistances, 9},       SearchCase{"duplicate rows", duplicateRows, 17},
    SearchCase{"a large common offset", commonOffset, 5}, SearchCase{"a wide range of magnitudes", wideMagnitudes, 5},
    SearchCase{"161 dimensions", ofDimension<161>, 33},   SearchCase{"one dimension", ofDimension<1>, 3},
};

std::string caseDifference(const DeviceSearch& search, const SearchCase& one) {
    const KdTreeSearch cpu(1);
    const CheckSet a = one.make(kRowsA, 1);
    const CheckSet b = one.make(kRowsB, 2);
    const NeighborTable ownA = cpu.within(a.view(), one.k, {});
    const NeighborTable ownB = cpu.within(b.view(), one.k, {});
    if (std::string fault = firstDifference(search.within(a.view(), one.k, {}), ownA); !fault.empty())
        return fault;
    // The k-th neighbour lies on the surface of the ball. The median clips half of the inner balls.
    const std::vector<double> radiusA = ownA.distancesAt(one.k);
    const std::vector<double> radiusB = ownB.distancesAt(one.k);
    std::vector<double> inner = radiusA;
    std::nth_element(inner.begin(), inner.begin() + kRowsA / 2, inner.end());
    const double median = inner[kRowsA / 2];
    std::ranges::transform(radiusA, inner.begin(), [&](double radius) { return std::min(radius, median); });
    const SideQuery sideA{a.view(), one.k, radiusA, inner};
    const SideQuery sideB{b.view(), one.k, radiusB};
    return firstDifference(search.between(sideA, sideB, {}), cpu.between(sideA, sideB, {}));
}

} // namespace

std::string searchDifference(const DeviceSearch& search) {
    for (const SearchCase& one : kCases)
        if (const std::string fault = caseDifference(search, one); !fault.empty())
            return std::string("neighbours and balls, ") + one.title + ": " + fault;
    return {};
}

namespace {

/// Neighbours from products of floats, found by one pass. @param capacity of the lists; 0: the planner's
std::string floatsDifference(Device& device, const CheckSet& set, std::size_t k, std::uint32_t capacity) {
    const Frame frame = Frame::of(set.view(), {set.view()}, 1, {});
    const PassShape shape{.rowsX = set.rows, .dim = set.dim, .kX = k, .precision = Precision::Single};
    const PassInput input{set.view(), {}, shape, frame, {}, {}, {}};
    PassPlan plan = planPass(shape, ~std::size_t{0}).value();
    if (capacity > 0) {
        plan.capacity = capacity;
        plan.measureAbove = capacity / 3;
        plan.bytes = PassMemory::carve(shape, plan, nullptr).bytes;
    }
    const PassOutput output = Pass(device, plan, input).run(blockPairsOf(plan), {}, [] {});
    return firstDifference(output.xToY, KdTreeSearch(1).within(set.view(), k, {}));
}

} // namespace

std::string floatsDifference(Device& device) {
    const std::string fault = floatsDifference(device, commonOffset(kRowsA, 1), 5, 0);
    return fault.empty() ? fault : "neighbours from floats: " + fault;
}

std::string overflowDifference(Device& device) {
    // All distances are zero, so that no bound excludes a row, and 400 rows do not fit into a list of 384.
    constexpr std::size_t kRows = 400;
    const CheckSet equal{kRows, 3, std::vector<float>(kRows * 3, 0.75F)};
    const std::string fault = floatsDifference(device, equal, 4, 384);
    return fault.empty() ? fault : "neighbours, lists that overflow: " + fault;
}

} // namespace assay::cuda
