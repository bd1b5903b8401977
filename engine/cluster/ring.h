#pragma once

#include "engine/base/job_context.h"
#include "engine/cluster/communicator.h"
#include "engine/data/embedding_set.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/neighbors/products/block_search.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace assay {

/// A SideQuery as every rank knows it.
struct RingSide {
    std::size_t k = 0;
    bool hasBalls = false;
    bool hasInnerBalls = false;
    std::span<const double> radius = {}, innerRadius = {}; ///< on rank 0, of all rows

    static RingSide of(const SideQuery& side) {
        return {side.k, !side.radius.empty(), !side.innerRadius.empty(), side.radius, side.innerRadius};
    }
};

struct RingSides {
    RingSide a, b;
};

/// The passes of an audit over processes that each hold a share of every set's rows. All functions are collective:
/// every rank calls them in the same order with the same arguments. Radii are inputs of rank 0, results are returned on
/// rank 0; both are empty on other ranks.
///
/// Each rank has a resident block, its own rows. Copies of all blocks travel around a ring of the ranks: in each step a
/// rank forwards the travelling block it holds while it searches it against its resident block, so that communication
/// overlaps with the products. A travelling block carries the lists and counts of its rows along, so that one search
/// updates both blocks, and returns to its owner at the end.
class Ring {
public:
    /// @param threads of this process
    Ring(const Communicator& communicator, unsigned threads) : communicator_(communicator), threads_(threads) {}

    /// Neighbours within a set. Each pair of blocks has to be searched once, so blocks travel half the ring. With an
    /// even number of ranks the pair of opposite ranks would be searched by both; each searches one half of it.
    /// @return on rank 0 the whole table
    NeighborTable within(const EmbeddingSet& set, std::size_t k, const JobContext& job) const;

    /// One pass between two sets; blocks of b travel.
    /// @return on rank 0 the whole result
    PassResult between(const EmbeddingSet& a, const EmbeddingSet& b, const RingSides& sides,
                       const JobContext& job) const;

    /// Per row of a set: number of closed balls around other rows of the set that hold it.
    /// @param centres rows, ascending; the same on every rank
    /// @return on rank 0, for all rows
    std::vector<std::uint32_t> ballsHolding(const EmbeddingSet& set, std::span<const std::uint32_t> centres,
                                            std::span<const double> radius, const JobContext& job) const;

private:
    using Visit = std::function<void(std::size_t step, SearchBlock& travelling, const JobContext& job)>;

    std::size_t rank() const noexcept { return communicator_.rank(); }
    std::size_t ranks() const noexcept { return communicator_.ranks(); }
    RowRange rowsOf(const EmbeddingSet& set, std::size_t rank) const { return RowShare{rank, ranks()}.of(set.rows()); }

    Frame commonFrame(const EmbeddingSet& centre, MatrixView other, const JobContext& job) const;
    /// Calls `visit` for the block that is at this rank in each step. @return this rank's own block, back from the ring
    SearchBlock travelRing(const EmbeddingSet& set, SearchBlock own, std::size_t lastStep, const Visit& visit,
                           const JobContext& job) const;
    /// Searches one half of the pair of blocks that both this rank and the opposite one hold.
    void searchOppositeHalf(SearchBlock& resident, SearchBlock& travelling, const ProductPlan& plan,
                            const JobContext& job) const;
    template <typename T>
    std::vector<T> gathered(const EmbeddingSet& set, const std::vector<T>& own, std::size_t perRow,
                            const JobContext& job) const;
    NeighborTable gathered(const EmbeddingSet& set, const NeighborTable& own, const JobContext& job) const;
    SideResult gathered(const EmbeddingSet& set, const SideResult& own, const JobContext& job) const;
    std::vector<double> scattered(const EmbeddingSet& set, std::span<const double> all, const JobContext& job) const;
    std::vector<float> rowsOfCentres(const EmbeddingSet& set, std::span<const std::uint32_t> centres,
                                     const JobContext& job) const;

    const Communicator& communicator_;
    unsigned threads_;
};

} // namespace assay
