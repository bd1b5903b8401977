#pragma once

#include "engine/neighbors/products/block_search.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <memory>
#include <span>

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

/// Wraps a search to handle sets that consist to half or more of copies of a few rows, as those of a collapsed model.
/// Pruning bounds exclude no candidate among equal rows, so each row would be measured against each. The wrapper
/// removes most copies from the searched set. Of equal rows only the k + 1 lowest indices can be among the k nearest
/// neighbours of any row, and all other results of a removed row follow from one of its copies. Results are equal, bit
/// for bit. Other sets are passed on unchanged after a test of 256 of their rows.
/// @param threads 0: all cores
std::unique_ptr<NeighborSearch> makeThinnedSearch(std::unique_ptr<NeighborSearch> search, unsigned threads);

/// Up to this number of dimensions a tree is fastest on all large data and machines.
constexpr std::size_t kAlwaysTree = 8;

/// The backends that run on the CPU.
std::span<const Backend> cpuBackends();

/// Makes a CPU backend. Auto chooses by dimension and number of rows, and in doubtful cases by a short trial on
/// `sample`. Can be used as a SearchMaker.
/// @param sample the larger of the sets that are searched
/// @param threads 0: all cores
/// @throws Error{DeviceFailed} if `choice` is not a CPU backend; Cancelled
std::unique_ptr<NeighborSearch> makeCpuSearch(BackendChoice choice, MatrixView sample, unsigned threads,
                                              const JobContext& job);

} // namespace assay
