#pragma once

#include "engine/neighbors/search/neighbor_search.h"

namespace assay {

/// Neighbours by measuring every pair: the shortest way to keep the exactness contract.
class PlainSearch : public NeighborSearch {
public:
    /// @param threads 0 for every core
    explicit PlainSearch(unsigned threads) : threads_(threads) {}

    std::string_view name() const override { return "plain"; }
    NeighborTable within(MatrixView set, std::size_t k, const JobContext& job) const override;
    PassResult between(const SideQuery& a, const SideQuery& b, const JobContext& job) const override;

private:
    unsigned threads_;
};

} // namespace assay
