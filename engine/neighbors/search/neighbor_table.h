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

} // namespace assay
