#pragma once

#include "engine/gpu/device/device.h"
#include "engine/layout/layout_accelerator.h"
#include "engine/math/linear/gram_accelerator.h"
#include "engine/metrics/one_class/one_class_accelerator.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace assay::cuda {

/// What one graphics card does beside the search.
class DeviceAccelerator : public GramAccelerator, public OneClassAccelerator, public LayoutAccelerator {
public:
    /// @param inUse held while the device works
    /// @param tookOver set where the CPU has to, for want of memory
    DeviceAccelerator(Device& device, std::mutex& inUse, std::atomic<bool>& tookOver)
        : device_(device), inUse_(inUse), tookOver_(tookOver) {}

    std::optional<DoubleMatrix> gram(MatrixView set, std::span<const double> mean, std::span<const double> scale,
                                     const JobContext& job) const override;
    std::unique_ptr<OneClassDescent> oneClass(const OneClassRows& rows) const override;
    std::optional<std::vector<LayoutPosition>> layout(const NeighborGraph& graph, std::span<const LayoutPosition> start,
                                                      const LayoutPlan& plan, const JobContext& job) const override;

private:
    Device& device_;
    std::mutex& inUse_;
    std::atomic<bool>& tookOver_;
};

} // namespace assay::cuda
