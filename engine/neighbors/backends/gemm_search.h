#pragma once

#include "engine/neighbors/products/block_search.h"
#include "engine/neighbors/search/neighbor_search.h"

namespace assay {

/// Neighbours by blocked matrix products (oneDNN): products of 8-bit integers or floats propose through rigorous
/// bounds, direct double differences decide. A trial of some queries chooses between the two, and whether it pays to
/// look at rows projected to few dimensions first (engine/neighbors/products/subspace_projection.h). Memory is a copy
/// of the inputs in that precision, the lists (at most 256 MiB, or three times k entries a query) and one tile per
/// thread; never N x M. Within one set each tile is computed once and serves its rows and its columns.
class GemmSearch : public NeighborSearch {
public:
    /// @param threads 0 for every core
    /// @param lean, pruning as PlanOptions
    explicit GemmSearch(unsigned threads, bool lean = false, Pruning pruning = Pruning::IfTrialShowsGain)
        : threads_(threads), lean_(lean), pruning_(pruning) {}

    std::string_view name() const override { return "gemm"; }
    NeighborTable within(MatrixView set, std::size_t k, const JobContext& job) const override;
    PassResult between(const SideQuery& a, const SideQuery& b, const JobContext& job) const override;

    /// Most bytes that a pass takes beyond its inputs and results; no backend takes more.
    /// @param rows of both sets together if there are two @param k neighbours per row
    static std::size_t passBytes(std::size_t rows, std::size_t dim, std::size_t k, bool lean);

private:
    unsigned threads_;
    bool lean_;
    Pruning pruning_;
};

} // namespace assay
