#pragma once

#include "engine/knn/neighbor_search.h"

namespace assay {

/// Neighbours by blocked matrix products (oneDNN): float products propose through rigorous bounds, direct double
/// differences decide. Memory is the centred copies of the inputs, about 1 KiB per query and one tile per thread; never
/// N x M. Within one set each tile is computed once and serves its rows and its columns.
class GemmSearch : public NeighborSearch {
public:
    /// @param threads 0 for every core
    explicit GemmSearch(unsigned threads) : threads_(threads) {}

    std::string_view name() const override { return "gemm"; }
    NeighborTable selfNeighbors(MatrixView set, std::size_t k, const JobContext& job) const override;
    CrossResult cross(const CrossQuery& query, const JobContext& job) const override;

private:
    unsigned threads_;
};

} // namespace assay
