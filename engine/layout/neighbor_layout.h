#pragma once

#include "engine/base/compute_context.h"
#include "engine/base/job_context.h"
#include "engine/layout/layout_step.h"
#include "engine/layout/neighbor_graph.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace assay {

class Accelerator;

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
