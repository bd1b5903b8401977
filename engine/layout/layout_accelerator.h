#pragma once

#include "engine/base/accelerator.h"
#include "engine/base/job_context.h"
#include "engine/layout/layout_step.h"
#include "engine/layout/neighbor_graph.h"

#include <optional>
#include <span>
#include <vector>

namespace assay {

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

} // namespace assay
