#pragma once

#include "engine/base/job_context.h"
#include "engine/gpu/device/device.h"
#include "engine/layout/layout_step.h"
#include "engine/layout/neighbor_graph.h"

#include <optional>
#include <span>
#include <vector>

namespace assay::cuda {

/// LayoutAccelerator::layout on one device.
/// @return nothing where the graph does not fit into its memory
/// @throws Error{DeviceFailed}, Cancelled
std::optional<std::vector<LayoutPosition>> layoutOnDevice(Device& device, const NeighborGraph& graph,
                                                          std::span<const LayoutPosition> start, const LayoutPlan& plan,
                                                          const JobContext& job);

} // namespace assay::cuda
