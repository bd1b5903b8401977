#pragma once

#include "engine/neighbors/search/neighbor_search.h"

namespace assay {

/// Neighbours by a k-d tree, for few dimensions.
///
/// Queries are taken 64 at a time, the points of one leaf of a tree over the queries, and walk the other tree together,
/// near leaves first. A leaf is scanned for 8 or 16 points at once in single precision, whose error is bounded
/// (engine/neighbors/search/bounds.h); what it cannot exclude is measured by the same direct distance as
/// everywhere. Balls are counted from the neighbours where those reach beyond the ball, else by a walk of their own.
///
/// A self search does not use symmetry: a pair of leaves matters to few of the queries on either side, so the scan
/// saved would be small beside the locks that writing to both sides needs.
class KdTreeSearch : public NeighborSearch {
public:
    /// @param threads 0 for every core
    explicit KdTreeSearch(unsigned threads) : threads_(threads) {}

    std::string_view name() const override { return "kdtree"; }
    PairSearch pairSearch() const override { return PairSearch::ByTree; }
    NeighborTable within(MatrixView set, std::size_t k, const JobContext& job) const override;
    PassResult between(const SideQuery& a, const SideQuery& b, const JobContext& job) const override;

    /// How long within() would take, from building the tree and searching a few of its blocks.
    /// @return seconds
    /// @throws Error{InvalidArgument} unless 1 <= k < set.rows; Cancelled
    double estimatedSeconds(MatrixView set, std::size_t k, const JobContext& job) const;

private:
    unsigned threads_;
};

} // namespace assay
