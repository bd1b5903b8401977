#pragma once

#include "engine/gpu/device/device.h"
#include "engine/gpu/search/device_accelerator.h"
#include "engine/gpu/search/pass.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace assay::cuda {

/// Exact neighbours and ball counts on graphics cards. Products of integers, or of floats where integers exclude too
/// few pairs, give rigorous bounds of distances (bounds.h), which select candidates; candidates are measured by direct
/// double-precision differences on the device. Sets that do not fit into a card's memory are copied block by block;
/// several cards share the pairs of blocks. Where the smallest plan does not fit, the fallback searches.
class DeviceSearch : public NeighborSearch {
public:
    enum class Products { IntegersFirst, Floats };
    using MakeSearch = std::function<std::unique_ptr<NeighborSearch>(unsigned threads)>;

    /// @param devices at least one
    /// @param threads of the host, 0 for every core
    /// @param fallback creates the search for passes that do not fit any device
    /// @param mostBlockRows most rows of a block; 0: chosen by the planner
    DeviceSearch(std::vector<std::unique_ptr<Device>> devices, unsigned threads, MakeSearch fallback,
                 std::uint32_t mostBlockRows = 0, Products products = Products::IntegersFirst);

    std::string_view name() const override { return "cuda"; }
    /// "NVIDIA H200 (140 GiB)", "2 x ..."; mentions the CPU once it was used for lack of memory.
    std::string hardware() const override;
    const DeviceAccelerator* accelerator() const override { return &accelerator_; }
    NeighborTable within(MatrixView set, std::size_t k, const JobContext& job) const override;
    PassResult between(const SideQuery& a, const SideQuery& b, const JobContext& job) const override;

private:
    std::optional<PassOutput> runPass(const PassInput& input, const JobContext& job) const;
    std::optional<PassOutput> runWithin(const PassInput& input, const JobContext& job) const;
    PassOutput runWith(const PassPlan& plan, const PassInput& input, const JobContext& job) const;
    std::uint32_t blockLimit(const PassShape& shape) const;
    std::unique_ptr<NeighborSearch> searchOnCpu() const;

    std::vector<std::unique_ptr<Device>> devices_;
    unsigned threads_;
    MakeSearch fallback_;
    std::uint32_t mostBlockRows_;
    Products products_;
    mutable std::mutex inUse_; ///< a device serves one search at a time
    mutable std::atomic<bool> usedCpu_ = false;
    DeviceAccelerator accelerator_{*devices_.front(), inUse_, usedCpu_};
};

/// "NVIDIA H200 (140 GiB)".
std::string deviceText(const DeviceInfo& info);

} // namespace assay::cuda
