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
    /// @param lean, shortcuts as PlanOptions
    explicit GemmSearch(unsigned threads, bool lean = false, Shortcuts shortcuts = Shortcuts::Measured)
        : threads_(threads), lean_(lean), shortcuts_(shortcuts) {}

    std::string_view name() const override { return "gemm"; }
    NeighborTable selfNeighbors(MatrixView set, std::size_t k, const JobContext& job) const override;
    CrossResult cross(const CrossQuery& query, const JobContext& job) const override;

private:
    unsigned threads_;
    bool lean_;
    Shortcuts shortcuts_;
};

} // namespace assay
