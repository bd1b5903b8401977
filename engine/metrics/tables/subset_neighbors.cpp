#include "engine/metrics/tables/subset_neighbors.h"

#include "engine/data/matrix_view.h"

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kMinDepth = 32;

/// Removes each query row from its own list. With other rows at distance zero it may stand anywhere in the list, or be
/// missing from it.
NeighborTable withoutSelf(const NeighborTable& found, std::span<const std::uint32_t> self) {
    NeighborTable table;
    table.k = found.k - 1;
    table.index.reserve(self.size() * table.k);
    table.distance.reserve(self.size() * table.k);
    for (std::size_t q = 0; q < self.size(); ++q) {
        std::size_t taken = 0;
        for (std::size_t rank = 0; taken < table.k; ++rank) {
            if (found.indexAt(q, rank) == self[q])
                continue;
            table.index.push_back(found.indexAt(q, rank));
            table.distance.push_back(found.distanceAt(q, rank));
            ++taken;
        }
    }
    return table;
}

} // namespace

SubsetNeighbors::SubsetNeighbors(MatrixView queries, MatrixView base, QueryRows kind, const NeighborTable& whole,
                                 std::size_t k)
    : queries_(queries), base_(base), kind_(kind), whole_(whole), depth_(std::max(kMinDepth, 4 * k)), lists_{&whole},
      chosen_(queries.rows) {}

std::size_t SubsetNeighbors::Part::bytes() const noexcept {
    return sizeof(Part) + mask.bytes() + rows.size() * sizeof(std::uint32_t) +
           lists.index.size() * (sizeof(std::uint32_t) + sizeof(double));
}

void SubsetNeighbors::choose(const RowMask& kept) {
    std::vector<Part*> usable;
    for (Part& part : parts_)
        if (kept.isSubsetOf(part.mask))
            usable.push_back(&part);
    // Results before the last one with every row would be overwritten.
    const auto last = std::find_if(usable.rbegin(), usable.rend(), [](const Part* part) { return part->everyRow; });
    if (last != usable.rend())
        usable.erase(usable.begin(), last.base() - 1);
    lists_ = {&whole_};
    if (usable.empty() || !usable.front()->everyRow)
        for (std::size_t row = 0; row < chosen_.size(); ++row)
            chosen_[row] = {0, static_cast<std::uint32_t>(row)};
    ++uses_;
    for (Part* part : usable) {
        part->lastUse = uses_;
        const auto number = static_cast<std::uint32_t>(lists_.size());
        lists_.push_back(&part->lists);
        for (std::size_t slot = 0; slot < part->rows.size(); ++slot)
            chosen_[part->rows[slot]] = {number, static_cast<std::uint32_t>(slot)};
    }
}

NeighborTable SubsetNeighbors::find(MatrixView part, std::span<const std::uint32_t> partRows,
                                    std::span<const std::uint32_t> rows, const NeighborSearch& search,
                                    const JobContext& job) const {
    const std::size_t own = kind_ == QueryRows::OwnSet ? 1 : 0;
    const std::size_t depth = std::min(depth_, part.rows - own);
    if (own == 1 && rows.size() == partRows.size())
        return search.within(part, depth, job);
    std::vector<float> gathered;
    MatrixView queries = queries_;
    if (rows.size() < queries_.rows) {
        gathered = gatherRows(queries_, rows);
        queries = {gathered.data(), rows.size(), queries_.dim};
    }
    NeighborTable table = search.nearest(queries, part, depth + own, job);
    if (own == 0)
        return table;
    std::vector<std::uint32_t> self;
    self.reserve(rows.size());
    auto at = partRows.begin();
    for (const std::uint32_t row : rows) {
        at = std::lower_bound(at, partRows.end(), row);
        self.push_back(static_cast<std::uint32_t>(at - partRows.begin()));
    }
    return withoutSelf(table, self);
}

void SubsetNeighbors::search(const RowMask& part, std::span<const std::uint32_t> rows, const NeighborSearch& search,
                             const JobContext& job) {
    if (rows.empty())
        return;
    const std::vector<std::uint32_t> partRows = part.rows();
    std::vector<float> gathered;
    MatrixView base = base_;
    if (partRows.size() < base_.rows) {
        gathered = gatherRows(base_, partRows);
        base = {gathered.data(), partRows.size(), base_.dim};
    }
    NeighborTable table = find(base, partRows, rows, search, job);
    // Order is kept: of equally far rows the lower one is the lower one in the part, too.
    for (std::uint32_t& index : table.index)
        index = partRows[index];
    const std::size_t every = kind_ == QueryRows::OwnSet ? partRows.size() : queries_.rows;
    Part added{part, {rows.begin(), rows.end()}, rows.size() == every, std::move(table), uses_};
    bytes_ += added.bytes();
    parts_.insert(std::find_if(parts_.begin(), parts_.end(),
                               [&](const Part& other) { return other.mask.count() < part.count(); }),
                  std::move(added));
}

void SubsetNeighbors::trim(std::size_t limit) {
    while (bytes_ > limit && !parts_.empty()) {
        const auto oldest = std::ranges::min_element(parts_, {}, &Part::lastUse);
        bytes_ -= oldest->bytes();
        parts_.erase(oldest);
    }
}

} // namespace assay
