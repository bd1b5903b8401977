#pragma once

#include "engine/neighbors/search/neighbor_search.h"

namespace assay {

/// Neighbours by nanoflann's k-d tree, for small sets of few dimensions.
///
/// One walk per query finds its nearest rows and counts its balls. What nanoflann measures is the direct distance of
/// the exactness contract, because that is its metric here. Its lower bounds on branches are rounded; a slack many
/// times their error keeps it from leaving out a branch that it must not.
class NanoflannSearch : public NeighborSearch {
public:
    /// @param threads 0 for every core
    explicit NanoflannSearch(unsigned threads) : threads_(threads) {}

    std::string_view name() const override { return "nanoflann"; }
    PairSearch pairSearch() const override { return PairSearch::ByTree; }
    NeighborTable within(MatrixView set, std::size_t k, const JobContext& job) const override;
    PassResult between(const SideQuery& a, const SideQuery& b, const JobContext& job) const override;

private:
    unsigned threads_;
};

} // namespace assay
