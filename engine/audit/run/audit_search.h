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

/// What the pass over all pairs of the real and a synthetic set is asked for; sizes as in CrossQuery, a the real set.
struct PairQuery {
    const EmbeddingSet& real;
    const EmbeddingSet& synthetic;
    std::size_t kRealToSynthetic = 0;
    std::size_t kSyntheticToReal = 0;
    std::span<const double> realRadius;
    std::span<const double> realInnerRadius;
    std::span<const double> syntheticRadius;
};

/// Runs the neighbour passes of an audit, in this process or in several. Exact, and the same bit for bit.
class AuditSearch {
public:
    virtual ~AuditSearch() = default;

    /// Name in the backend table.
    virtual std::string_view backend() const = 0;

    /// What it ran on beside the CPU, for people (NeighborSearch::hardware).
    virtual std::string hardware() const { return {}; }

    /// For what follows the passes, or null (NeighborSearch::accelerator).
    virtual const Accelerator* accelerator() const { return nullptr; }

    /// What finds neighbours of rows that this process holds; null where none holds a whole set.
    virtual const NeighborSearch* local() const { return nullptr; }

    /// The k nearest other rows of every row. @throws Error{InvalidArgument} unless 1 <= k < rows; Cancelled
    virtual NeighborTable selfNeighbors(const EmbeddingSet& set, std::size_t k, const JobContext& job) const = 0;

    /// Neighbours both ways and all ball memberships. @throws Error{InvalidArgument}, Cancelled
    virtual CrossResult cross(const PairQuery& query, const JobContext& job) const = 0;

    /// Per row of the set: how many of the closed balls around some of its rows hold it, its own ball left out.
    /// @param centres rows, ascending
    /// @param radius one per centre
    virtual std::vector<std::uint32_t> ballsHolding(const EmbeddingSet& set, std::span<const std::uint32_t> centres,
                                                    std::span<const double> radius, const JobContext& job) const = 0;
};

/// Makes the search for the passes around one set.
using AuditSearchMaker = std::function<std::unique_ptr<AuditSearch>(const EmbeddingSet& sample, const JobContext& job)>;

/// The passes of this process, where every set is held whole.
std::unique_ptr<AuditSearch> makeLocalSearch(std::unique_ptr<NeighborSearch> search);

} // namespace assay
