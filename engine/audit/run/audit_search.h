#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Arguments of the pass over all pairs of the real and a synthetic set. Sizes and radii are those of CrossQuery with
/// the real set as a.
struct PairQuery {
    const EmbeddingSet& real;
    const EmbeddingSet& synthetic;
    std::size_t kRealToSynthetic = 0;
    std::size_t kSyntheticToReal = 0;
    std::span<const double> realRadius;
    std::span<const double> realInnerRadius;
    std::span<const double> syntheticRadius;
};

/// Runs the neighbour passes of an audit, in this process or in several. Results are exact and equal bit for bit in
/// every implementation.
class AuditSearch {
public:
    virtual ~AuditSearch() = default;

    /// Name in the backend table.
    virtual std::string_view backend() const = 0;

    /// Hardware used in addition to the CPU, for people (NeighborSearch::hardware()).
    virtual std::string hardware() const { return {}; }

    /// How pairs beyond the tables are found (NeighborSearch::pairSearch()).
    virtual PairSearch pairSearch() const { return PairSearch::ByProducts; }

    /// Accelerator for the stages after the passes; null if there is none (NeighborSearch::accelerator()).
    virtual const Accelerator* accelerator() const { return nullptr; }

    /// Neighbour search over rows that this process holds; null if the process does not hold whole sets.
    virtual const NeighborSearch* local() const { return nullptr; }

    /// The k nearest other rows of every row: rows x k.
    /// @throws Error{InvalidArgument} unless 1 <= k < rows; Cancelled
    virtual NeighborTable selfNeighbors(const EmbeddingSet& set, std::size_t k, const JobContext& job) const = 0;

    /// Neighbours in both directions and all ball memberships.
    /// @throws Error{InvalidArgument}, Cancelled
    virtual CrossResult cross(const PairQuery& query, const JobContext& job) const = 0;

    /// Per row of the set: number of closed balls around the given centres that contain it. A row's own ball does not
    /// count.
    /// @param centres rows of the set, ascending
    /// @param radius one per centre
    /// @return one count per row
    /// @throws Cancelled
    virtual std::vector<std::uint32_t> ballsHolding(const EmbeddingSet& set, std::span<const std::uint32_t> centres,
                                                    std::span<const double> radius, const JobContext& job) const = 0;
};

/// Function that makes the search for the passes of one set.
using AuditSearchMaker = std::function<std::unique_ptr<AuditSearch>(const EmbeddingSet& sample, const JobContext& job)>;

/// The set with more rows, which a search between both is chosen for.
const EmbeddingSet& largerOf(const EmbeddingSet& a, const EmbeddingSet& b);

/// Makes an AuditSearch that runs the passes in this process, which holds every set whole.
std::unique_ptr<AuditSearch> makeLocalSearch(std::unique_ptr<NeighborSearch> search);

} // namespace assay
