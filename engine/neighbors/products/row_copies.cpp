#include "engine/neighbors/products/row_copies.h"

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kLookedAt = 256;
constexpr std::size_t kOftenAmongThem = 8; // of the rows that are looked at: then some 3 % of all are equal
constexpr std::size_t kFewRows = 1024;     // below, every search is quick

/// By value: a distance of 0 makes no difference between zeros of either sign.
bool isEqual(MatrixView set, std::size_t a, std::size_t b) {
    return std::ranges::equal(set.row(a), set.row(b));
}

/// Rows that many of some evenly spaced ones equal.
std::vector<std::uint32_t> frequentRows(MatrixView set) {
    std::vector<std::uint32_t> rows;
    for (std::size_t i = 0; i < kLookedAt; ++i)
        rows.push_back(static_cast<std::uint32_t>(i * set.rows / kLookedAt));
    std::ranges::sort(rows, [&](std::uint32_t a, std::uint32_t b) {
        return std::ranges::lexicographical_compare(set.row(a), set.row(b));
    });
    std::vector<std::uint32_t> frequent;
    for (std::size_t first = 0; first < rows.size();) {
        std::size_t end = first + 1;
        while (end < rows.size() && isEqual(set, rows[first], rows[end]))
            ++end;
        if (end - first >= kOftenAmongThem)
            frequent.push_back(rows[first]);
        first = end;
    }
    return frequent;
}

} // namespace

ThinnedSet thin(MatrixView set, std::size_t copies, std::span<const double> value, const JobContext& job) {
    ThinnedSet thinned;
    if (set.rows < kFewRows || set.dim == 0)
        return thinned;
    const std::vector<std::uint32_t> frequent = frequentRows(set);
    if (frequent.empty())
        return thinned;
    std::vector<std::vector<std::uint32_t>> equal(frequent.size());
    for (std::uint32_t row = 0; row < set.rows; ++row) {
        if (row % kFewRows == 0)
            job.throwIfStopped();
        const auto at = std::ranges::find_if(frequent, [&](std::uint32_t one) { return isEqual(set, one, row); });
        if (at != frequent.end())
            equal[static_cast<std::size_t>(at - frequent.begin())].push_back(row);
    }
    std::vector<std::uint8_t> isLeftOut(set.rows, 0);
    std::size_t leftOut = 0;
    for (const std::vector<std::uint32_t>& rows : equal) {
        const bool alike = value.empty() || std::ranges::all_of(rows, [&](std::uint32_t row) {
                               return value[rows.front()] == value[row];
                           });
        if (!alike || rows.size() <= copies)
            continue;
        CopyGroup group{rows.front(), 0, {rows.begin() + static_cast<std::ptrdiff_t>(copies), rows.end()}};
        for (const std::uint32_t row : group.leftOut)
            isLeftOut[row] = 1;
        leftOut += group.leftOut.size();
        thinned.groups.push_back(std::move(group));
    }
    if (2 * leftOut < set.rows)
        return {};
    for (std::uint32_t row = 0; row < set.rows; ++row)
        if (isLeftOut[row] == 0)
            thinned.kept.push_back(row);
    for (CopyGroup& group : thinned.groups)
        group.firstKept =
            static_cast<std::uint32_t>(std::ranges::lower_bound(thinned.kept, group.first) - thinned.kept.begin());
    return thinned;
}

} // namespace assay
