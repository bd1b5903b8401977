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

/// The passes of an audit over processes that hold a share of every set's rows each. Every rank calls the same function
/// with the same arguments at the same time; what belongs to rank 0 (radii, centres, results) is empty elsewhere.
///
/// Blocks go round in a ring: in each step a rank sends the block that visits it on while it searches it against its
/// own, so that traffic hides behind the products. A visiting block carries what is known of its rows along, so that
/// one search serves both sides, and is home again at the end.
class Ring {
public:
    /// @param threads of this process
    Ring(const Communicator& communicator, unsigned threads) : communicator_(communicator), threads_(threads) {}

    /// Neighbours within a set. Half a round is enough: in it each pair of blocks is searched once. With an even number
    /// of ranks those opposite each other are searched at both, half of the rows here and half there.
    /// @return on rank 0 the whole table
    NeighborTable selfNeighbors(const EmbeddingSet& set, std::size_t k, const JobContext& job) const;

    /// Which balls a pass between two sets counts.
    struct Balls {
        bool a = false;
        bool innerA = false;
        bool b = false;
    };

    /// One pass between two sets, b going round. @param query its matrices hold this rank's rows; the radii, on rank 0,
    /// are those of all rows
    /// @return on rank 0 the whole result
    CrossResult cross(const EmbeddingSet& a, const EmbeddingSet& b, const CrossQuery& query, const Balls& balls,
                      const JobContext& job) const;

    /// Per row of a set: closed balls around other rows of it that hold it.
    /// @param centres rows, ascending; the same on every rank
    /// @return on rank 0, for all rows
    std::vector<std::uint32_t> ballsHolding(const EmbeddingSet& set, std::span<const std::uint32_t> centres,
                                            std::span<const double> radius, const JobContext& job) const;

private:
    using Visit = std::function<void(std::size_t step, Block& visiting, const JobContext& job)>;

    std::size_t rank() const noexcept { return communicator_.rank(); }
    std::size_t ranks() const noexcept { return communicator_.ranks(); }
    RowRange rowsOf(const EmbeddingSet& set, std::size_t rank) const { return RowShare{rank, ranks()}.of(set.rows()); }

    Frame commonFrame(const EmbeddingSet& centre, MatrixView other, const JobContext& job) const;
    Block goRound(const EmbeddingSet& set, Block own, std::size_t lastStep, const Visit& visit,
                  const JobContext& job) const;
    void meetOpposite(Block& home, Block& visiting, const ProductPlan& plan, const JobContext& job) const;
    template <typename T>
    std::vector<T> gathered(const EmbeddingSet& set, const std::vector<T>& own, std::size_t perRow,
                            const JobContext& job) const;
    NeighborTable gathered(const EmbeddingSet& set, const NeighborTable& own, const JobContext& job) const;
    std::vector<double> scattered(const EmbeddingSet& set, std::span<const double> all, const JobContext& job) const;
    std::vector<float> rowsOfCentres(const EmbeddingSet& set, std::span<const std::uint32_t> centres,
                                     const JobContext& job) const;

    const Communicator& communicator_;
    unsigned threads_;
};

} // namespace assay
