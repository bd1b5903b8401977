#pragma once

#include "engine/knn/neighbor_search.h"

namespace assay {

/// Neighbours by a k-d tree (nanoflann), for few dimensions. Leaves are measured by the same direct distance as
/// everywhere, and branches are pruned with a margin, so that ties and rounding cannot lose a neighbour.
class KdTreeSearch : public NeighborSearch {
public:
    /// @param threads 0 for every core
    explicit KdTreeSearch(unsigned threads) : threads_(threads) {}

    std::string_view name() const override { return "kdtree"; }
    NeighborTable selfNeighbors(MatrixView set, std::size_t k, const JobContext& job) const override;
    CrossResult cross(const CrossQuery& query, const JobContext& job) const override;

private:
    unsigned threads_;
};

} // namespace assay
