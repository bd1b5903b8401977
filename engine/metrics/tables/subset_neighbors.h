#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/tables/row_mask.h"
#include "engine/neighbors/search/neighbor_search.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <span>
#include <vector>

namespace assay {

/// Whose neighbours are sought: those of another set's rows, or of the base's own rows (none its own neighbour).
enum class QueryRows { OtherSet, OwnSet };

/// Nearest neighbours among any subset of a base set, read from lists that were found among larger subsets.
///
/// A list of the nearest rows of a part P of the base holds, in order, the nearest rows of every subset of P, as far as
/// it reaches. There are lists among the whole base (the audit's table) and, in time, among smaller and smaller parts:
/// for a subset the lists of the smallest part that contains it reach farthest. Whoever finds a list too short searches
/// its row again among the subset itself, which makes that subset a part for later use.
class SubsetNeighbors {
public:
    /// @param whole neighbours of every query among the whole base; kept by reference, like the views
    /// @param k neighbours that will be asked for
    SubsetNeighbors(MatrixView queries, MatrixView base, QueryRows kind, const NeighborTable& whole, std::size_t k);

    /// Picks for every row the list of the smallest part that contains `kept`. Call before reading, and again after a
    /// search. O(rows + parts).
    void choose(const RowMask& kept);

    /// Writes the first `wanted` neighbours of a row that are in `kept`, ascending by (distance, index).
    /// @param kept a subset of the mask last chosen for
    /// @param index, distance room for `wanted` entries
    /// @return how many the list holds, at most `wanted`; with fewer, search() has to find more
    std::size_t nearestKept(std::size_t row, const RowMask& kept, std::size_t wanted, std::uint32_t* index,
                            double* distance) const {
        const List list = chosenList(row);
        std::size_t found = 0;
        for (std::size_t rank = 0; rank < list.count && found < wanted; ++rank) {
            index[found] = list.index[rank]; // overwritten by the next one unless it is kept: no branch to mispredict
            distance[found] = list.distance[rank];
            found += kept.bit(list.index[rank]);
        }
        return found;
    }

    /// The chosen list of a row, whole: neighbours in the part, ascending.
    std::span<const std::uint32_t> listOf(std::size_t row) const {
        const List list = chosenList(row);
        return {list.index, list.count};
    }
    /// Distance of the neighbour at `rank` of the chosen list.
    double distanceOf(std::size_t row, std::size_t rank) const { return chosenList(row).distance[rank]; }

    /// How much of a list that was found to keep: the first entries of list `row`, at most all.
    using Needed = std::function<std::size_t(std::uint32_t row, std::span<const std::uint32_t> list)>;

    /// Finds lists of the given rows among `part` and keeps them.
    /// @param rows ascending; rows of the part where the base is searched for its own rows
    /// @param part more rows than k
    /// @param needed where given, the lists are for a sweep: cut to what it needs, forgotten last
    /// @throws Cancelled, leaving everything as it was
    void search(const RowMask& part, std::span<const std::uint32_t> rows, const Needed& needed,
                const NeighborSearch& search, const JobContext& job);

    /// Forgets the parts that were not read for longest until at most `limit` bytes are held. Call choose() after.
    void trim(std::size_t limit);

    /// Whether the audit's own table is about as deep as the lists that search() finds.
    bool wholeIsDeep() const noexcept { return whole_.k >= std::min(depth_, base_.rows - 1); }
    std::size_t bytes() const noexcept { return bytes_; }

private:
    /// Lists among one part, end to end.
    struct Lists {
        std::vector<std::size_t> first; ///< where each begins, and the end of the last
        std::vector<std::uint32_t> index;
        std::vector<double> distance;
    };
    struct Part {
        RowMask mask;
        std::vector<std::uint32_t> rows; ///< whose lists these are
        bool everyRow;                   ///< all that can be asked for under a subset of the mask
        Lists lists;
        std::uint64_t forgetAfter; ///< in uses

        std::size_t bytes() const noexcept;
    };
    /// Where a row's list is: lists_[part] at `slot`; the audit's table for part 0.
    struct Place {
        std::uint32_t part;
        std::uint32_t slot;
    };
    struct List {
        const std::uint32_t* index;
        const double* distance;
        std::size_t count;
    };

    List chosenList(std::size_t row) const {
        const Place place = chosen_[row];
        if (place.part == 0)
            return {whole_.index.data() + row * whole_.k, whole_.distance.data() + row * whole_.k, whole_.k};
        const Lists& lists = *lists_[place.part];
        const std::size_t first = lists.first[place.slot];
        return {lists.index.data() + first, lists.distance.data() + first, lists.first[place.slot + 1] - first};
    }
    NeighborTable find(MatrixView part, std::span<const std::uint32_t> partRows, std::span<const std::uint32_t> rows,
                       const NeighborSearch& search, const JobContext& job) const;
    static Lists cut(const NeighborTable& table, std::span<const std::uint32_t> rows, const Needed& needed);

    MatrixView queries_;
    MatrixView base_;
    QueryRows kind_;
    const NeighborTable& whole_;
    std::size_t depth_;
    std::list<Part> parts_; ///< descending by size
    std::vector<const Lists*> lists_;
    std::vector<Place> chosen_;
    std::uint64_t uses_ = 0;
    std::size_t bytes_ = 0;
};

} // namespace assay
