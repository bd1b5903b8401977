#include "engine/gpu/search/device_accelerator.h"

#include <string>

namespace assay::cuda {

/// Returns what `compute` does, with the device locked; notes where the device declines.
template <typename Compute>
auto DeviceAccelerator::onDevice(const Compute& compute) const {
    const std::scoped_lock lock(inUse_);
    auto result = compute();
    if (!result)
        usedCpu_ = true;
    return result;
}

std::optional<DoubleMatrix> DeviceAccelerator::gram(MatrixView set, std::span<const double> mean,
                                                    std::span<const double> scale, const JobContext& job) const {
    return onDevice(
        [&] { return gramOnDevice(device_, set, mean, scale, job.part(std::string(kOnTheCard), 0.0, 1.0)); });
}

std::unique_ptr<PairTiles> DeviceAccelerator::pairTiles(const PairAccelerator::Shape& shape) const {
    return onDevice([&] { return pairTilesOnDevice(device_, inUse_, shape); });
}

std::optional<std::vector<LayoutPosition>> DeviceAccelerator::layout(const NeighborGraph& graph,
                                                                     std::span<const LayoutPosition> start,
                                                                     const LayoutPlan& plan,
                                                                     const JobContext& job) const {
    return onDevice(
        [&] { return layoutOnDevice(device_, graph, start, plan, job.part(std::string(kOnTheCard), 0.0, 1.0)); });
}

} // namespace assay::cuda
