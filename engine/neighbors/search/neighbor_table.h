#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// Nearest neighbours of every query: queries x k entries, row-major; each query's entries are in ascending order of
/// (distance, index). Distances are Euclidean, computed in double precision from the direct difference of the stored
/// float32 rows.
struct NeighborTable {
    std::size_t k = 0;                ///< neighbours per query
    std::vector<std::uint32_t> index; ///< row of the neighbour in the base set
    std::vector<double> distance;     ///< in the embedding's unit, >= 0

    std::size_t rows() const noexcept { return k == 0 ? 0 : index.size() / k; }
    /// The rank-th neighbour of a query, rank counted from 0.
    std::uint32_t indexAt(std::size_t query, std::size_t rank) const noexcept { return index[query * k + rank]; }
    double distanceAt(std::size_t query, std::size_t rank) const noexcept { return distance[query * k + rank]; }

    /// Distance from every query to its kth-nearest neighbour.
    /// @param kth counted from 1, at most k
    /// @return one value per query
    std::vector<double> distancesAt(std::size_t kth) const {
        std::vector<double> column(rows());
        for (std::size_t query = 0; query < column.size(); ++query)
            column[query] = distanceAt(query, kth - 1);
        return column;
    }

    friend bool operator==(const NeighborTable&, const NeighborTable&) = default;
};

/// A measured neighbour.
struct Measured {
    double distance;
    std::uint32_t index;

    friend bool operator<(const Measured& a, const Measured& b) noexcept {
        return a.distance < b.distance || (a.distance == b.distance && a.index < b.index);
    }
};

/// Stands for a neighbour that is not known yet, at an infinite distance.
inline constexpr std::uint32_t kNoNeighbor = ~std::uint32_t{0};

/// A table of queries x k that knows no neighbour yet.
NeighborTable noNeighbors(std::size_t queries, std::size_t k);

/// The nearest of two tables of the same queries, each ascending; what stands in both counts once.
NeighborTable nearestOf(const NeighborTable& x, const NeighborTable& y);

/// A row that may be among a query's k nearest.
struct Candidate {
    float estimate;      ///< of its squared distance, from a product
    std::uint32_t index; ///< number of the row
};

} // namespace assay
