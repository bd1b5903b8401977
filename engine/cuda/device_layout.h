#pragma once

#include "engine/cuda/device.h"
#include "engine/job/job_context.h"
#include "engine/layout/layout_plan.h"
#include "engine/layout/neighbor_graph.h"

#include <optional>
#include <span>
#include <vector>

namespace assay::cuda {

/// Accelerator::layout on one device. @return nothing where there is too little memory on it
std::optional<std::vector<LayoutPosition>> layoutOnDevice(Device& device, const NeighborGraph& graph,
                                                          std::span<const LayoutPosition> start, const LayoutPlan& plan,
                                                          const JobContext& job);

} // namespace assay::cuda
