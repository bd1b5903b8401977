#include "engine/neighbors/backends/cpu_backends.h"

#include "engine/base/parallel.h"
#include "engine/data/matrix_view.h"
#include "engine/math/products/kernels.h"

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
struct DeduplicatedSet {
    std::vector<std::uint32_t> kept; ///< rows that stay, ascending
    std::vector<CopyGroup> groups;   ///< empty: nothing is left out, and `kept` is empty, too

    bool isWhole() const noexcept { return groups.empty(); }
};

constexpr std::size_t kSampleRows = 256;
constexpr std::size_t kFrequentInSample = 8; // of the sample: then some 3 % of all rows are equal
constexpr std::size_t kFewRows = 1024;       // below, every search is quick

/// By value: a distance of 0 makes no difference between zeros of either sign.
bool isEqual(MatrixView set, std::size_t a, std::size_t b) {
    return std::ranges::equal(set.row(a), set.row(b));
}

/// Rows that many of some evenly spaced ones equal.
std::vector<std::uint32_t> frequentRows(MatrixView set) {
    std::vector<std::uint32_t> rows = evenlySpacedRows(set.rows, kSampleRows);
    std::ranges::sort(rows, [&](std::uint32_t a, std::uint32_t b) {
        return std::ranges::lexicographical_compare(set.row(a), set.row(b));
    });
    std::vector<std::uint32_t> frequent;
    for (std::size_t first = 0; first < rows.size();) {
        std::size_t end = first + 1;
        while (end < rows.size() && isEqual(set, rows[first], rows[end]))
            ++end;
        if (end - first >= kFrequentInSample)
            frequent.push_back(rows[first]);
        first = end;
    }
    return frequent;
}

/// Leaves out copies of a row beyond the `copies` lowest ones, where at least half of the set goes by that.
/// @param value that copies have to share, too: one per row, or empty
/// @throws Cancelled
DeduplicatedSet thin(MatrixView set, std::size_t copies, std::span<const double> value, const JobContext& job) {
    DeduplicatedSet thinned;
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
std::vector<double> valuesThatStay(std::span<const double> values, const DeduplicatedSet& thinned) {
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
    Expansion(const DeduplicatedSet& thinned, std::size_t rows) : thinned_(thinned), from_(rows) {
        for (std::size_t i = 0; i < thinned.kept.size(); ++i)
            from_[thinned.kept[i]] = static_cast<std::uint32_t>(i);
        for (const CopyGroup& group : thinned.groups)
            for (const std::uint32_t row : group.leftOut)
                from_[row] = group.firstKept;
    }

    /// Replaces indices among the kept rows by row indices of the set.
    void toSetIndices(std::vector<std::uint32_t>& index) const {
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
    const DeduplicatedSet& thinned_;
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

    NeighborTable within(MatrixView set, std::size_t k, const JobContext& job) const override {
        requireNeighbors(set.rows, k);
        const DeduplicatedSet thinned = thin(set, k + 1, {}, job);
        if (thinned.isWhole())
            return search_->within(set, k, job);
        const std::vector<float> values = gatherRows(set, thinned.kept);
        const Expansion expansion(thinned, set.rows);
        NeighborTable table = search_->within({values.data(), thinned.kept.size(), set.dim, set.largest}, k, job);
        expansion.toSetIndices(table.index);
        table = expansion.all(table);
        // Rows that were left out have the lowest copies as neighbours, the first one too: each is k rows or more
        // before them.
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

    PassResult between(const SideQuery& a, const SideQuery& b, const JobContext& job) const override {
        requireSides(a, b);
        const DeduplicatedSet thinned = thin(b.rows, std::max<std::size_t>(a.k, 1), b.radius, job);
        if (thinned.isWhole() || !b.innerRadius.empty())
            return search_->between(a, b, job);
        const std::vector<float> values = gatherRows(b.rows, thinned.kept);
        const std::vector<double> radius = valuesThatStay(b.radius, thinned);
        const SideQuery kept{{values.data(), thinned.kept.size(), b.rows.dim, b.rows.largest}, b.k, radius};
        PassResult result = search_->between(a, kept, job.part({}, 0.0, 0.99));
        const Expansion expansion(thinned, b.rows.rows);
        expansion.toSetIndices(result.a.nearest.index);
        result.b.nearest = expansion.all(result.b.nearest);
        result.b.holding = expansion.all(result.b.holding);
        result.b.innerHolding = expansion.all(result.b.innerHolding);
        result.b.inside = expansion.all(result.b.inside);
        countLeftOut(a, b, thinned, result.a, job.part({}, 0.99, 1.0));
        return result;
    }

private:
    /// Adds the removed rows of b to the counts of the rows of a.
    void countLeftOut(const SideQuery& a, const SideQuery& b, const DeduplicatedSet& thinned, SideResult& found,
                      const JobContext& job) const {
        if (a.radius.empty() && b.radius.empty())
            return;
        constexpr std::size_t kAtOnce = 256;
        parallelRanges(a.rows.rows, kAtOnce, threads_, job, [&](std::size_t first, std::size_t last, unsigned) {
            for (std::size_t row = first; row < last; ++row)
                for (const CopyGroup& group : thinned.groups) {
                    const double distance = directDistance(a.rows, row, b.rows, group.first);
                    const auto count = static_cast<std::uint32_t>(group.leftOut.size());
                    if (!a.radius.empty() && distance <= a.radius[row])
                        found.inside[row] += count;
                    if (!a.innerRadius.empty() && distance <= a.innerRadius[row])
                        found.insideInner[row] += count;
                    if (!b.radius.empty() && distance <= b.radius[group.first])
                        found.holding[row] += count;
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
