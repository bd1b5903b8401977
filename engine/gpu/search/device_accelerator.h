#pragma once

#include "engine/gpu/device/device.h"
#include "engine/layout/layout_accelerator.h"
#include "engine/math/linear/gram_accelerator.h"
#include "engine/metrics/one_class/one_class_network.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace assay::cuda {

/// The dense computations of one graphics card.
class DeviceAccelerator : public GramAccelerator, public OneClassAccelerator, public LayoutAccelerator {
public:
    /// @param inUse locked while the device works
    /// @param usedCpu set when a computation is left to the CPU for lack of memory
    DeviceAccelerator(Device& device, std::mutex& inUse, std::atomic<bool>& usedCpu)
        : device_(device), inUse_(inUse), usedCpu_(usedCpu) {}

    std::optional<DoubleMatrix> gram(MatrixView set, std::span<const double> mean, std::span<const double> scale,
                                     const JobContext& job) const override;
    std::unique_ptr<OneClassDescent> oneClass(const OneClassRows& rows) const override;
    std::optional<std::vector<LayoutPosition>> layout(const NeighborGraph& graph, std::span<const LayoutPosition> start,
                                                      const LayoutPlan& plan, const JobContext& job) const override;

private:
    Device& device_;
    std::mutex& inUse_;
    std::atomic<bool>& usedCpu_;
};

} // namespace assay::cuda
