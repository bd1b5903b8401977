#pragma once

#include "engine/gpu/device/device.h"
#include "engine/layout/neighbor_layout.h"
#include "engine/math/products/centred_products.h"
#include "engine/neighbors/pairs/pair_scans.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace assay::cuda {

/// The work of one graphics card beside the neighbour search.
class DeviceAccelerator : public GramAccelerator, public LayoutAccelerator, public PairAccelerator {
public:
    /// @param inUse locked while the device works
    /// @param usedCpu set when a computation is left to the CPU for lack of memory
    DeviceAccelerator(Device& device, std::mutex& inUse, std::atomic<bool>& usedCpu)
        : device_(device), inUse_(inUse), usedCpu_(usedCpu) {}

    std::optional<DoubleMatrix> gram(MatrixView set, std::span<const double> mean, std::span<const double> scale,
                                     const JobContext& job) const override;
    std::optional<std::vector<LayoutPosition>> layout(const NeighborGraph& graph, std::span<const LayoutPosition> start,
                                                      const LayoutPlan& plan, const JobContext& job) const override;
    std::unique_ptr<PairTiles> pairTiles(const PairAccelerator::Shape& shape) const override;

private:
    template <typename Compute>
    auto onDevice(const Compute& compute) const;

    Device& device_;
    std::mutex& inUse_;
    std::atomic<bool>& usedCpu_;
};

/// GramAccelerator::gram on one device. Rows are copied to it in chunks, smaller ones where memory is short.
/// @return nothing where the smallest chunk does not fit
/// @throws Error{DeviceFailed}, Cancelled
std::optional<DoubleMatrix> gramOnDevice(Device& device, MatrixView set, std::span<const double> mean,
                                         std::span<const double> scale, const JobContext& job);

/// PairAccelerator::pairTiles on one device.
/// @param inUse locked by the caller now; by the result while it uses the device
/// @return null where the tiles do not fit into its memory
/// @throws Error{DeviceFailed}
std::unique_ptr<PairTiles> pairTilesOnDevice(Device& device, std::mutex& inUse, const PairAccelerator::Shape& shape);

/// LayoutAccelerator::layout on one device.
/// @return nothing where the graph does not fit into its memory
/// @throws Error{DeviceFailed}, Cancelled
std::optional<std::vector<LayoutPosition>> layoutOnDevice(Device& device, const NeighborGraph& graph,
                                                          std::span<const LayoutPosition> start, const LayoutPlan& plan,
                                                          const JobContext& job);

} // namespace assay::cuda
