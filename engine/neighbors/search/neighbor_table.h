#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// Nearest neighbours of every query: queries x k entries, each query's in ascending order of (distance, index).
/// Distances are Euclidean, the double-precision direct difference of the stored float32 rows.
struct NeighborTable {
    std::size_t k = 0;                ///< neighbours per query
    std::vector<std::uint32_t> index; ///< row of the neighbour in the base set
    std::vector<double> distance;     ///< in the embedding's unit, >= 0

    std::size_t rows() const noexcept { return k == 0 ? 0 : index.size() / k; }
    /// The rank-th neighbour of a query, rank counted from 0.
    std::uint32_t indexAt(std::size_t query, std::size_t rank) const noexcept { return index[query * k + rank]; }
    double distanceAt(std::size_t query, std::size_t rank) const noexcept { return distance[query * k + rank]; }

    /// The kth-nearest distance of every query, `kth` counted from 1 and at most k.
    std::vector<double> distancesAt(std::size_t kth) const {
        std::vector<double> column(rows());
        for (std::size_t query = 0; query < column.size(); ++query)
            column[query] = distanceAt(query, kth - 1);
        return column;
    }

    friend bool operator==(const NeighborTable&, const NeighborTable&) = default;
};

/// Rows within some distance of every query that a table of its nearest has no room for: behind the table's, in the
/// same order, and only for queries that this was not too much for. Nothing where a search does not tell.
struct FurtherNeighbors {
    std::vector<std::uint8_t> complete; ///< per query: whether table and these name all within the distance asked for
    std::vector<std::size_t> end;       ///< per query: where its entries end, which begin at the end of those before
    std::vector<std::uint32_t> index;
    std::vector<double> distance;

    bool isComplete(std::size_t query) const noexcept { return !complete.empty() && complete[query] != 0; }
    std::size_t begin(std::size_t query) const noexcept { return query == 0 ? 0 : end[query - 1]; }

    friend bool operator==(const FurtherNeighbors&, const FurtherNeighbors&) = default;
};

} // namespace assay
