#include "engine/neighbors/backends/thinned_search.h"

#include "engine/base/parallel.h"
#include "engine/data/matrix_view.h"
#include "engine/math/products/kernels.h"
#include "engine/neighbors/search/query_check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {
namespace {

/// Copies of one row that are left out of a set.
struct CopyGroup {
    std::uint32_t first = 0;              ///< the lowest row among the equal ones, which stays
    std::uint32_t firstKept = 0;          ///< the same, counted among the rows that stay
    std::vector<std::uint32_t> leftOut{}; ///< ascending
};

/// A set without most copies of rows that it is full of.
struct ThinnedSet {
    std::vector<std::uint32_t> kept; ///< rows that stay, ascending
    std::vector<CopyGroup> groups;   ///< empty: nothing is left out, and `kept` is empty, too

    bool isWhole() const noexcept { return groups.empty(); }
};

constexpr std::size_t kLookedAt = 256;
constexpr std::size_t kOftenAmongThem = 8; // of the rows that are looked at: then some 3 % of all are equal
constexpr std::size_t kFewRows = 1024;     // below, every search is quick

/// By value: a distance of 0 makes no difference between zeros of either sign.
bool isEqual(MatrixView set, std::size_t a, std::size_t b) {
    return std::ranges::equal(set.row(a), set.row(b));
}

/// Rows that many of some evenly spaced ones equal.
std::vector<std::uint32_t> frequentRows(MatrixView set) {
    std::vector<std::uint32_t> rows = evenlySpacedRows(set.rows, kLookedAt);
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

/// Leaves out copies of a row beyond the `copies` lowest ones, where at least half of the set goes by that.
/// @param value that copies have to share, too: one per row, or empty
/// @throws Cancelled
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
    thinned.kept = rowsWhere(set.rows, [&](std::size_t row) { return isLeftOut[row] == 0; });
    for (CopyGroup& group : thinned.groups)
        group.firstKept =
            static_cast<std::uint32_t>(std::ranges::lower_bound(thinned.kept, group.first) - thinned.kept.begin());
    return thinned;
}

/// Selects the values of the kept rows; empty if `values` is empty.
std::vector<double> valuesThatStay(std::span<const double> values, const ThinnedSet& thinned) {
    std::vector<double> some;
    if (values.empty())
        return some;
    some.reserve(thinned.kept.size());
    for (const std::uint32_t row : thinned.kept)
        some.push_back(values[row]);
    return some;
}

/// Expands results for the kept rows to results for the whole set.
class Expansion {
public:
    Expansion(const ThinnedSet& thinned, std::size_t rows) : thinned_(thinned), from_(rows) {
        for (std::size_t i = 0; i < thinned.kept.size(); ++i)
            from_[thinned.kept[i]] = static_cast<std::uint32_t>(i);
        for (const CopyGroup& group : thinned.groups)
            for (const std::uint32_t row : group.leftOut)
                from_[row] = group.firstKept;
    }

    /// Replaces indices among the kept rows by row indices of the set.
    void name(std::vector<std::uint32_t>& index) const {
        for (std::uint32_t& one : index)
            one = thinned_.kept[one];
    }

    /// One value per row of the set; a removed row has the value of its kept copy.
    std::vector<std::uint32_t> all(const std::vector<std::uint32_t>& values) const {
        std::vector<std::uint32_t> result;
        if (values.empty())
            return result;
        result.reserve(from_.size());
        for (const std::uint32_t from : from_)
            result.push_back(values[from]);
        return result;
    }

    NeighborTable all(const NeighborTable& table) const {
        NeighborTable result;
        result.k = table.k;
        if (table.k == 0)
            return result;
        result.index.reserve(from_.size() * table.k);
        result.distance.reserve(from_.size() * table.k);
        for (const std::uint32_t from : from_)
            for (std::size_t rank = 0; rank < table.k; ++rank) {
                result.index.push_back(table.indexAt(from, rank));
                result.distance.push_back(table.distanceAt(from, rank));
            }
        return result;
    }

private:
    const ThinnedSet& thinned_;
    std::vector<std::uint32_t> from_; ///< per row of the set: index of the kept row with equal results
};

class ThinnedSearch : public NeighborSearch {
public:
    ThinnedSearch(std::unique_ptr<NeighborSearch> search, unsigned threads)
        : search_(std::move(search)), threads_(threads) {}

    std::string_view name() const override { return search_->name(); }
    std::string hardware() const override { return search_->hardware(); }
    PairSearch pairSearch() const override { return search_->pairSearch(); }
    const Accelerator* accelerator() const override { return search_->accelerator(); }

    NeighborTable selfNeighbors(MatrixView set, std::size_t k, const JobContext& job) const override {
        checkSelfQuery(set, k);
        const ThinnedSet thinned = thin(set, k + 1, {}, job);
        if (thinned.isWhole())
            return search_->selfNeighbors(set, k, job);
        const std::vector<float> values = gatherRows(set, thinned.kept);
        const Expansion expansion(thinned, set.rows);
        NeighborTable table =
            search_->selfNeighbors({values.data(), thinned.kept.size(), set.dim, set.largest}, k, job);
        expansion.name(table.index);
        table = expansion.all(table);
        // What is left out has the lowest copies as neighbours, the first one too: each is k rows or more before it.
        for (const CopyGroup& group : thinned.groups)
            for (const std::uint32_t row : group.leftOut) {
                const auto at = static_cast<std::ptrdiff_t>(row * k);
                std::copy_backward(table.index.begin() + at,
                                   table.index.begin() + at + static_cast<std::ptrdiff_t>(k) - 1,
                                   table.index.begin() + at + static_cast<std::ptrdiff_t>(k));
                table.index[row * k] = group.first;
            }
        return table;
    }

    CrossResult cross(const CrossQuery& query, const JobContext& job) const override {
        checkCrossQuery(query);
        const ThinnedSet thinned = thin(query.b, std::max<std::size_t>(query.kAToB, 1), query.radiusB, job);
        if (thinned.isWhole())
            return search_->cross(query, job);
        const std::vector<float> values = gatherRows(query.b, thinned.kept);
        const std::vector<double> radius = valuesThatStay(query.radiusB, thinned);
        CrossQuery some = query;
        some.b = {values.data(), thinned.kept.size(), query.b.dim, query.b.largest};
        some.radiusB = radius;
        CrossResult result = search_->cross(some, job.part({}, 0.0, 0.99));
        const Expansion expansion(thinned, query.b.rows);
        expansion.name(result.aToB.index);
        result.bToA = expansion.all(result.bToA);
        result.ballsAHolding = expansion.all(result.ballsAHolding);
        result.innerBallsAHolding = expansion.all(result.innerBallsAHolding);
        result.insideBallB = expansion.all(result.insideBallB);
        countLeftOut(query, thinned, result, job.part({}, 0.99, 1.0));
        return result;
    }

private:
    /// Adds the removed rows to the counts of the rows of a.
    void countLeftOut(const CrossQuery& query, const ThinnedSet& thinned, CrossResult& result,
                      const JobContext& job) const {
        if (query.radiusA.empty() && query.radiusB.empty())
            return;
        constexpr std::size_t kAtOnce = 256;
        parallelRanges(query.a.rows, kAtOnce, threads_, job, [&](std::size_t first, std::size_t last, unsigned) {
            for (std::size_t row = first; row < last; ++row)
                for (const CopyGroup& group : thinned.groups) {
                    const double distance = directDistance(query.a, row, query.b, group.first);
                    const auto count = static_cast<std::uint32_t>(group.leftOut.size());
                    if (!query.radiusA.empty() && distance <= query.radiusA[row])
                        result.insideBallA[row] += count;
                    if (!query.innerRadiusA.empty() && distance <= query.innerRadiusA[row])
                        result.insideInnerBallA[row] += count;
                    if (!query.radiusB.empty() && distance <= query.radiusB[group.first])
                        result.ballsBHolding[row] += count;
                }
        });
    }

    std::unique_ptr<NeighborSearch> search_;
    unsigned threads_;
};

} // namespace

std::unique_ptr<NeighborSearch> makeThinnedSearch(std::unique_ptr<NeighborSearch> search, unsigned threads) {
    return std::make_unique<ThinnedSearch>(std::move(search), threads);
}

} // namespace assay
