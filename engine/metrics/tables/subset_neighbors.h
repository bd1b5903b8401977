#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/search/neighbor_search.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <vector>

namespace assay {

/// A set of rows of one sample set, with one bit per row, so that a mask of 50,000 rows fits into the first-level
/// cache.
class RowMask {
public:
    explicit RowMask(std::size_t rows = 0) : words_((rows + 63) / 64, 0) {}
    explicit RowMask(const std::vector<bool>& flags) : RowMask(flags.size()) {
        for (std::size_t row = 0; row < flags.size(); ++row)
            if (flags[row])
                add(row);
    }

    /// Adds a row. Precondition: the mask does not contain it.
    void add(std::size_t row) noexcept {
        words_[row / 64] |= std::uint64_t{1} << (row % 64);
        ++count_;
    }
    bool contains(std::size_t row) const noexcept { return bit(row) != 0; }
    /// 1 if the mask contains the row, else 0.
    std::size_t bit(std::size_t row) const noexcept { return (words_[row / 64] >> (row % 64)) & 1U; }
    std::size_t count() const noexcept { return count_; }

    /// Whether every row of this mask is in `other`, a mask over the same set.
    bool isSubsetOf(const RowMask& other) const noexcept {
        for (std::size_t w = 0; w < words_.size(); ++w)
            if ((words_[w] & ~other.words_[w]) != 0)
                return false;
        return true;
    }

    /// The rows of the mask, ascending.
    std::vector<std::uint32_t> rows() const {
        std::vector<std::uint32_t> list;
        list.reserve(count_);
        for (std::size_t w = 0; w < words_.size(); ++w)
            for (std::uint64_t left = words_[w]; left != 0; left &= left - 1)
                list.push_back(static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(left))));
        return list;
    }

    std::size_t bytes() const noexcept { return words_.size() * sizeof(std::uint64_t); }

private:
    std::vector<std::uint64_t> words_;
    std::size_t count_ = 0;
};

/// Kind of queries: rows of another set, or rows of the base set itself, where no row is its own neighbour.
enum class QueryRows { OtherSet, OwnSet };

/// Finds nearest neighbours among any subset of a base set in neighbour lists that were computed for larger subsets.
///
/// A neighbour list that was computed among a part P of the base also contains the nearest rows of every subset of P,
/// in order, up to the end of the list. The first list of each row is the one of the audit's table, among the whole
/// base. Searches add lists among smaller parts. For a subset, the list of the smallest part that contains it reaches
/// farthest. If a list is too short, the caller searches its row again among the subset itself; that subset becomes a
/// part for later use.
class SubsetNeighbors {
public:
    /// @param whole neighbours of every query among the whole base; kept by reference
    /// @param queries, base kept by reference
    /// @param k largest number of neighbours that callers need per row
    SubsetNeighbors(MatrixView queries, MatrixView base, QueryRows kind, const NeighborTable& whole, std::size_t k);

    /// Selects for every row the list of the smallest part that contains `kept`. Call it before nearestKept(), and
    /// again after search() or trim(). O(rows + parts).
    void choose(const RowMask& kept);

    /// Writes the nearest `wanted` neighbours of a row that are in `kept`, ascending by (distance, index).
    /// @param kept a subset of the mask in the last call of choose()
    /// @param index, distance room for `wanted` entries each
    /// @return number of neighbours found in the list, at most `wanted`; if fewer, the row needs a search()
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

    /// The whole chosen list of a row: neighbours within the chosen part, ascending by (distance, index).
    std::span<const std::uint32_t> listOf(std::size_t row) const {
        const List list = chosenList(row);
        return {list.index, list.count};
    }
    /// Searches the nearest neighbours of the given rows among `part` and stores the lists as a new part.
    /// @param rows ascending; with QueryRows::OwnSet rows of `part`
    /// @param part has more than k rows
    /// @throws Cancelled; this object is unchanged then
    void search(const RowMask& part, std::span<const std::uint32_t> rows, const NeighborSearch& search,
                const JobContext& job);

    /// Drops the least recently used parts until at most `limit` bytes are stored. Call choose() afterwards.
    void trim(std::size_t limit);

    /// Bytes of the stored lists; the audit's table does not count.
    std::size_t bytes() const noexcept { return bytes_; }

private:
    struct Part {
        RowMask mask;
        std::vector<std::uint32_t> rows; ///< query rows of the lists, ascending
        bool everyRow;                   ///< whether every possible query row of a subset of the mask has a list here
        NeighborTable lists;             ///< among the mask, one per entry of rows
        std::uint64_t lastUse;           ///< value of uses_

        std::size_t bytes() const noexcept;
    };
    /// Position of a row's list: entry `slot` of lists_[part].
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
        const NeighborTable& lists = *lists_[place.part];
        const std::size_t first = place.slot * lists.k;
        return {lists.index.data() + first, lists.distance.data() + first, lists.k};
    }
    NeighborTable find(MatrixView part, std::span<const std::uint32_t> partRows, std::span<const std::uint32_t> rows,
                       const NeighborSearch& search, const JobContext& job) const;

    MatrixView queries_;
    MatrixView base_;
    QueryRows kind_;
    const NeighborTable& whole_;
    std::size_t depth_;
    std::list<Part> parts_;                   ///< descending by number of rows in the mask
    std::vector<const NeighborTable*> lists_; ///< the audit's table, then those of the usable parts
    std::vector<Place> chosen_;
    std::uint64_t uses_ = 0;
    std::size_t bytes_ = 0;
};

} // namespace assay
