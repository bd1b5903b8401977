#include "engine/metrics/verdicts/sample_units.h"

#include "engine/data/matrix_view.h"
#include "engine/metrics/tables/compared_rows.h"
#include "engine/metrics/verdicts/real_partition.h"

#include <algorithm>

namespace assay {

std::vector<std::uint32_t> renumbered(std::span<const std::uint32_t> groups) {
    constexpr std::uint32_t kNone = ~std::uint32_t{0};
    std::vector<std::uint32_t> number(groups.empty() ? 0 : *std::ranges::max_element(groups) + 1U, kNone);
    std::vector<std::uint32_t> result(groups.size());
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (number[groups[i]] == kNone)
            number[groups[i]] = next++;
        result[i] = number[groups[i]];
    }
    return result;
}

std::size_t groupsIn(std::span<const std::uint32_t> groups) {
    return groups.empty() ? 0 : *std::ranges::max_element(groups) + std::size_t{1};
}

std::vector<std::uint32_t> sizesOf(std::span<const std::uint32_t> groups) {
    return countsOf(groups, groupsIn(groups));
}

std::vector<std::uint32_t> oneOfEach(std::span<const std::uint32_t> groups, std::span<const std::uint32_t> order) {
    std::vector<bool> has(groupsIn(groups), false);
    std::vector<std::uint32_t> rows;
    for (const std::uint32_t row : order)
        if (!has[groups[row]]) {
            has[groups[row]] = true;
            rows.push_back(row);
        }
    std::ranges::sort(rows);
    return rows;
}

std::vector<std::uint32_t> unitsByGroup(const ClassLabels& groups) {
    std::vector<std::uint32_t> unit = groups.code;
    auto next = static_cast<std::uint32_t>(groups.names.size());
    for (std::uint32_t& one : unit)
        if (!groups.isClass(one))
            one = next++;
    return renumbered(unit);
}

std::vector<bool> SampleUnits::stands(std::size_t all) const {
    std::vector<bool> standing(all, rows.empty());
    for (const std::uint32_t row : rows)
        standing[row] = true;
    return standing;
}

std::vector<double> SampleUnits::of(std::vector<double> values) const {
    if (rows.empty())
        return values;
    std::vector<double> some(rows.size());
    std::ranges::transform(rows, some.begin(), [&](std::uint32_t row) { return values[row]; });
    return some;
}

SampleUnits sampleUnits(const EmbeddingSet& set, const RealPartition& real, const ComputeContext& context) {
    SampleUnits units;
    if (!set.hasGroups() && !real.byGroup)
        return units;
    const std::vector<std::uint32_t> order = contentOrder(set.matrix(), {}, context.seed, context.threads);
    if (set.hasGroups()) {
        units.unit = unitsByGroup(set.groups());
        units.rows = oneOfEach(units.unit, order);
        return units;
    }
    units.areKnown = false;
    const std::size_t count = std::max<std::size_t>(1, set.rows() * real.rows.size() / (4 * real.unit.size()));
    units.rows.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(std::min(count, order.size())));
    std::ranges::sort(units.rows);
    return units;
}

} // namespace assay
