#pragma once

#include "engine/data/matrix_view.h"
#include "engine/neighbors/search/bounds.h"
#include "engine/neighbors/search/neighbor_search.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace assay {

/// The k nearest of every query among the rows measured so far. Different threads may add to different queries.
class NearestMeasured {
public:
    /// @param firstIndex number of the base's first row: the base may be a block of a larger set
    NearestMeasured(std::size_t queries, std::size_t k, std::uint32_t firstIndex = 0)
        : firstIndex_(firstIndex), table_(noNeighbors(queries, k)), count_(queries, 0) {}

    /// Begins with neighbours that are known from other rows than the base's.
    /// @param known queries x k, ascending; kNoNeighbor where there are fewer
    void start(NeighborTable known);

    std::size_t k() const noexcept { return table_.k; }
    bool isEmpty(std::size_t query) const noexcept { return count_[query] == 0; }
    /// Distance of the k-th nearest row; infinity while fewer are measured.
    double furthest(std::size_t query) const noexcept;

    /// One query's row of the table while its candidates are measured.
    class Row {
    public:
        Row(NearestMeasured& nearest, std::size_t query);

        /// Whether a row at this distance would be among the k nearest so far.
        bool wants(std::uint32_t index, double distance) const {
            return count_ < k_ || Measured{distance, firstIndex_ + index} < at(k_ - 1);
        }
        void add(std::uint32_t index, double distance);
        /// Call after the last row that this object adds: of many neighbours not every new one is put in its place at
        /// once.
        void merge();
        /// Call after the last row of the query: fewer than k are not sorted before.
        void finish() {
            merge();
            if (count_ < k_)
                sort();
        }

    private:
        Measured at(std::size_t place) const { return {distance_[place], index_[place]}; }
        void put(std::size_t place, const Measured& found) {
            distance_[place] = found.distance;
            index_[place] = found.index;
        }
        void sort();
        void insert(const Measured& found);

        std::uint32_t firstIndex_;
        std::size_t k_;
        std::uint32_t& count_;
        double* distance_;
        std::uint32_t* index_;
        std::vector<Measured> added_; ///< nearer than the k-th, not merged yet
    };

    /// The k nearest, ascending. Call once, at the end.
    NeighborTable takeTable() { return std::move(table_); }

private:
    std::uint32_t firstIndex_;
    NeighborTable table_;              ///< ascending, its first count_[query] entries of each row in use
    std::vector<std::uint32_t> count_; ///< per query
};

/// Counts which points lie in which closed balls. Pairs whose bounds leave a doubt are measured.
/// Different threads may count at once as long as no two of them share a centre.
class BallCounter {
public:
    /// @param centres the rows that the balls are around, with their radii @param points of the same dimension. Both
    ///                outlive this
    BallCounter(const SideQuery& centres, MatrixView points);

    bool any() const noexcept { return !centres_.radius.empty(); }

    /// Radius of the outer ball; negative where there is none.
    double radius(std::size_t centre) const noexcept {
        return any() && centres_.radius[centre] >= 0.0 ? centres_.radius[centre] : -1.0;
    }

    /// Counts a pair by bounds on its squared distance in the stored unit.
    void count(std::size_t centre, std::size_t point, const PairBounds& bounds);
    /// Counts a pair by its measured distance.
    void count(std::size_t centre, std::size_t point, double distance);

    /// Adds what was counted to what is known of both sets' rows.
    void addTo(SideResult& centres, SideResult& points) const;

private:
    template <typename Holds>
    void countIf(std::size_t centre, std::size_t point, const Holds& holds);

    std::vector<std::uint32_t> inside_;       ///< per centre: points in its ball
    std::vector<std::uint32_t> holding_;      ///< per point: balls that hold it
    std::vector<std::uint32_t> insideInner_;  ///< per centre: points in its inner ball
    std::vector<std::uint32_t> innerHolding_; ///< per point: inner balls that hold it
    SideQuery centres_;
    MatrixView points_;
};

} // namespace assay
