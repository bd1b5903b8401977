#include "engine/metrics/verdicts/equal_to_real.h"

#include "engine/math/statistics/exact_tests.h"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr double kSure = 0.001;

/// Rows of a set that equal a real row, and groups of equal rows, each counted once.
struct Equals {
    std::size_t rows = 0;
    std::size_t ofRows = 0;
    double groups = 0.0;
    double ofGroups = 0.0;

    void add(bool isEqual, std::uint32_t othersLikeIt) {
        const double part = 1.0 / (1.0 + static_cast<double>(othersLikeIt));
        ++ofRows;
        ofGroups += part;
        if (isEqual) {
            ++rows;
            groups += part;
        }
    }
};

std::size_t rounded(double count) {
    return static_cast<std::size_t>(std::llround(count));
}

/// Whether the first share is surely larger, by rows and by groups.
bool surelyMore(const Equals& first, const Equals& second) {
    return fisherExact(first.rows, first.ofRows, second.rows, second.ofRows, Alternative::Greater) <= kSure &&
           fisherExact(rounded(first.groups), rounded(first.ofGroups), rounded(second.groups), rounded(second.ofGroups),
                       Alternative::Greater) <= kSure;
}

} // namespace

EqualToReal testEqualToReal(std::span<const std::uint8_t> isEqual, const EqualRowCounts& equal,
                            const RealPartition& partition, double falseDiscoveryRate) {
    EqualToReal result;
    result.samples = static_cast<std::size_t>(std::ranges::count(isEqual, 1));
    result.real = partition.equalRows;
    result.ofReal = partition.rows.size();
    result.expectedPairs = partition.expectedEqualPairs;
    if (result.samples == 0)
        return result;
    Equals model;
    for (std::size_t row = 0; row < isEqual.size(); ++row)
        model.add(isEqual[row] != 0, equal.ofSynthetic.inSynthetic[row]);
    std::vector<Equals> natural;
    if (!partition.deduplicated()) {
        Equals& real = natural.emplace_back();
        for (std::size_t at = 0; at < partition.rows.size(); ++at) {
            const bool isTwice = partition.equalsAnother[at] != 0;
            real.add(isTwice, isTwice ? equal.ofReal.inReal[partition.rows[at]] : 0);
        }
    }
    if (!equal.ofHeldOut.inReal.empty()) {
        Equals& heldOut = natural.emplace_back();
        for (std::size_t row = 0; row < equal.ofHeldOut.inReal.size(); ++row)
            heldOut.add(equal.ofHeldOut.inReal[row] > 0, equal.ofHeldOut.inOwn[row]);
        result.heldOut = heldOut.rows;
        result.ofHeldOut = heldOut.ofRows;
    }
    result.isUntold = natural.empty();
    if (result.isUntold)
        return result;
    const auto m = static_cast<double>(isEqual.size());
    result.isAccused = std::ranges::all_of(natural, [&](const Equals& one) { return surelyMore(model, one); });
    const bool repeatsItself = std::ranges::any_of(equal.ofSynthetic.inSynthetic, [](auto rows) { return rows > 0; });
    result.isImpossible = !repeatsItself &&
                          std::ranges::all_of(natural, [](const Equals& one) { return one.rows == 0; }) &&
                          result.expectedPairs * 2.0 * m / static_cast<double>(partition.unit.size()) < 0.01;
    double usual = 0.0; // the larger natural share
    for (const Equals& one : natural)
        usual = std::max(usual, (static_cast<double>(one.rows) + 1.0) / (static_cast<double>(one.ofRows) + 1.0));
    result.namesSingles = result.isAccused && m * usual <= falseDiscoveryRate * static_cast<double>(result.samples);
    return result;
}

} // namespace assay
