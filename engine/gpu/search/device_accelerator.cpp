#include "engine/gpu/search/device_accelerator.h"

#include "engine/gpu/search/device_gram.h"
#include "engine/gpu/search/device_layout.h"
#include "engine/gpu/search/device_one_class.h"

#include <string>

namespace assay::cuda {

std::optional<DoubleMatrix> DeviceAccelerator::gram(MatrixView set, std::span<const double> mean,
                                                    std::span<const double> scale, const JobContext& job) const {
    const std::scoped_lock lock(inUse_);
    auto product = gramOnDevice(device_, set, mean, scale, job.part(std::string(kOnTheCard), 0.0, 1.0));
    if (!product)
        usedCpu_ = true;
    return product;
}

std::unique_ptr<OneClassDescent> DeviceAccelerator::oneClass(const OneClassRows& rows) const {
    const std::scoped_lock lock(inUse_);
    auto descent = descentOnDevice(device_, inUse_, rows);
    if (!descent)
        usedCpu_ = true;
    return descent;
}

std::optional<std::vector<LayoutPosition>> DeviceAccelerator::layout(const NeighborGraph& graph,
                                                                     std::span<const LayoutPosition> start,
                                                                     const LayoutPlan& plan,
                                                                     const JobContext& job) const {
    const std::scoped_lock lock(inUse_);
    auto placed = layoutOnDevice(device_, graph, start, plan, job.part(std::string(kOnTheCard), 0.0, 1.0));
    if (!placed)
        usedCpu_ = true;
    return placed;
}

} // namespace assay::cuda
