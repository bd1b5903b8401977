#pragma once

#include "engine/base/compute_context.h"
#include "engine/base/job_context.h"
#include "engine/layout/layout_step.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace assay {

class Accelerator;
struct PairTables;
struct RealAnalysis;

/// An undirected weighted graph of neighbours in compressed rows: each edge is stored for both of its ends, ordered by
/// (row, neighbour).
struct NeighborGraph {
    std::vector<std::size_t> begin;      ///< rows + 1 offsets: row r's edges are begin[r] to begin[r + 1] - 1
    std::vector<std::uint32_t> neighbor; ///< of each edge
    std::vector<float> weight;           ///< in (0, 1], the same at both ends

    std::size_t rows() const noexcept { return begin.empty() ? 0 : begin.size() - 1; }
};

/// The fuzzy neighbour graph of UMAP. A row's nearest neighbour has weight 1; the weights of farther ones decay with
/// the distance at the rate for which a row's weights sum to log2 k, so that dense and sparse regions have equal
/// influence. The weights u and v of an edge from both ends are combined to u + v - u v.
/// @param neighbors of each row among the same rows, none of them itself
/// @param threads 0 for every core
/// @throws Cancelled
/// Source: McInnes, Healy, Melville, UMAP, 2018.
NeighborGraph neighborGraph(const NeighborTable& neighbors, unsigned threads = 0, const JobContext& job = {});

/// Exact nearest neighbours in the union of the real set and one model's set: N + M rows, the real ones first; row N +
/// j and index N + j are synthetic sample j. Merged from the tables of an audit.
/// @param wanted neighbours per row; the result has fewer where the sets or the stored tables do
NeighborTable jointNeighbors(const RealAnalysis& real, const PairTables& pair, std::size_t wanted);

/// Neighbourhood preservation of a layout: the mean share of a row's k nearest neighbours that are among its k nearest
/// in the layout.
/// @param neighbors k neighbours of each row among the same rows
/// @param positions one per row
/// @param threads 0 for every core
/// @return in [0, 1]; NaN for no neighbours
/// @throws Error{InvalidArgument} when the counts differ, Cancelled
double keptNeighbors(const NeighborTable& neighbors, std::span<const std::array<float, 3>> positions,
                     unsigned threads = 0, const JobContext& job = {});

/// A graphics card that lays out graphs.
class LayoutAccelerator : public virtual Accelerator {
public:
    /// Positions of a graph's rows after all rounds of a plan, bit for bit those of the CPU.
    /// @param start positions before the first round, one per row
    /// @return nothing where the graph does not fit into the card's memory
    /// @throws Error{DeviceFailed}, Cancelled
    virtual std::optional<std::vector<LayoutPosition>> layout(const NeighborGraph& graph,
                                                              std::span<const LayoutPosition> start,
                                                              const LayoutPlan& plan, const JobContext& job) const = 0;
};

struct LayoutOptions {
    std::size_t rounds = 0; ///< 0: 500 for up to 10,000 rows, 200 for more
    std::uint64_t seed = 0;
    unsigned threads = 0;       ///< 0 for every core
    std::size_t dimensions = 3; ///< 2: on the plane of the first two coordinates; the third one is 0
};

/// Places rows in three dimensions so that neighbours lie close together: edges attract by their weight, randomly drawn
/// pairs repel. Lengths have no unit, and distances between groups mean little. The result does not depend on the
/// number of threads, but may differ between processor types.
/// @param start initial position of each row, for example its principal components; the global arrangement stays
/// similar
/// @param accelerator computes the rounds, unless it is null or declines
/// @return a finite position of each row
/// @throws Error{InvalidArgument} when the counts differ, Cancelled
/// Source: McInnes, Healy, Melville, UMAP, 2018, with 1 / (1 + distance^2) as the curve in low dimensions.
std::vector<std::array<float, 3>> neighborLayout(const NeighborGraph& graph,
                                                 std::span<const std::array<float, 3>> start,
                                                 const LayoutOptions& options = {}, const JobContext& job = {},
                                                 const Accelerator* accelerator = nullptr);

/// Positions of a graph's rows after all rounds of a plan, computed on the CPU.
/// @param from positions before the first round, one per row
/// @throws Cancelled
std::vector<LayoutPosition> layoutOnCpu(const NeighborGraph& graph, std::vector<LayoutPosition> from,
                                        const LayoutPlan& plan, unsigned threads, const JobContext& job);

} // namespace assay
