#pragma once

#include "engine/audit/row_mask.h"
#include "engine/data/matrix_view.h"
#include "engine/job/job_context.h"
#include "engine/knn/neighbor_search.h"
#include "engine/knn/neighbor_table.h"

#include <cstddef>
#include <cstdint>
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
        const Place place = chosen_[row];
        const NeighborTable& table = *tables_[place.part];
        const std::uint32_t* neighbor = table.index.data() + place.slot * table.k;
        const double* far = table.distance.data() + place.slot * table.k;
        std::size_t found = 0;
        for (std::size_t rank = 0; rank < table.k && found < wanted; ++rank) {
            index[found] = neighbor[rank]; // overwritten by the next one unless it is kept: no branch to mispredict
            distance[found] = far[rank];
            found += kept.bit(neighbor[rank]);
        }
        return found;
    }

    /// The chosen list of a row, whole: neighbours in the part, ascending.
    std::span<const std::uint32_t> listOf(std::size_t row) const {
        const NeighborTable& table = *tables_[chosen_[row].part];
        return {table.index.data() + chosen_[row].slot * table.k, table.k};
    }

    /// Distance of the neighbour at `rank` of the chosen list.
    double distanceOf(std::size_t row, std::size_t rank) const {
        const Place place = chosen_[row];
        return tables_[place.part]->distanceAt(place.slot, rank);
    }

    /// Finds lists of the given rows among `part` and keeps them.
    /// @param rows ascending; rows of the part where the base is searched for its own rows
    /// @param part more rows than k
    /// @throws Cancelled, leaving everything as it was
    void search(const RowMask& part, std::span<const std::uint32_t> rows, const NeighborSearch& search,
                const JobContext& job);

    /// Forgets the parts that were not read for longest until at most `limit` bytes are held. Call choose() after.
    void trim(std::size_t limit);

    /// Entries per list among a part that is large enough.
    std::size_t depth() const noexcept { return depth_; }
    /// Whether the audit's own table is as deep as the lists that search() finds.
    bool wholeIsDeep() const noexcept { return whole_.k >= std::min(depth_, base_.rows - 1); }
    std::size_t bytes() const noexcept { return bytes_; }

private:
    struct Part {
        RowMask mask;
        std::vector<std::uint32_t> rows; ///< whose lists these are
        bool everyRow;                   ///< all that can be asked for under a subset of the mask
        NeighborTable table;             ///< rows.size() lists
        std::uint64_t lastUse;

        std::size_t bytes() const noexcept;
    };
    struct Place {
        std::uint32_t part; ///< index into tables_
        std::uint32_t slot;
    };

    NeighborTable find(MatrixView part, std::span<const std::uint32_t> partRows, std::span<const std::uint32_t> rows,
                       const NeighborSearch& search, const JobContext& job) const;

    MatrixView queries_;
    MatrixView base_;
    QueryRows kind_;
    const NeighborTable& whole_;
    std::size_t depth_;
    std::list<Part> parts_; ///< descending by size
    std::vector<const NeighborTable*> tables_;
    std::vector<Place> chosen_;
    std::uint64_t uses_ = 0;
    std::size_t bytes_ = 0;
};

/// The given rows of a matrix, one after the other.
std::vector<float> gatherRows(MatrixView set, std::span<const std::uint32_t> rows);

} // namespace assay
