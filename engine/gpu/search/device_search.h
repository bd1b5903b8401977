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

/// Neighbours by graphics cards: products of bfloat16 rows on the tensor cores propose through rigorous bounds
/// (bounds.h), direct double differences on the device decide. Sets that do not fit into a card's memory pass through
/// it block by block; several cards share the blocks. Where even that does not fit, the search is left to the CPU.
class DeviceSearch : public NeighborSearch {
public:
    using MakeSearch = std::function<std::unique_ptr<NeighborSearch>(unsigned threads)>;

    /// @param devices at least one
    /// @param threads for what the host does, 0 for every core
    /// @param fallback makes the search that takes over what no device can take
    /// @param mostBlockRows of a block of work; 0: what suits the work
    DeviceSearch(std::vector<std::unique_ptr<Device>> devices, unsigned threads, MakeSearch fallback,
                 std::uint32_t mostBlockRows = 0);

    std::string_view name() const override { return "cuda"; }
    /// "NVIDIA H200 (140 GiB)", "2 x ..."; says so where the CPU had to take over.
    std::string hardware() const override;
    const DeviceAccelerator* accelerator() const override { return &accelerator_; }
    NeighborTable selfNeighbors(MatrixView set, std::size_t k, const JobContext& job) const override;
    CrossResult cross(const CrossQuery& query, const JobContext& job) const override;

private:
    std::optional<PassOutput> runPass(const PassInput& input, const JobContext& job) const;
    PassOutput runWith(const PassPlan& plan, const PassInput& input, const JobContext& job) const;
    std::uint32_t blockLimit(const PassShape& shape) const;
    std::unique_ptr<NeighborSearch> takeOver() const;

    std::vector<std::unique_ptr<Device>> devices_;
    unsigned threads_;
    MakeSearch fallback_;
    std::uint32_t mostBlockRows_;
    mutable std::mutex inUse_; ///< a device serves one search at a time
    mutable std::atomic<bool> tookOver_ = false;
    DeviceAccelerator accelerator_{*devices_.front(), inUse_, tookOver_};
};

/// "NVIDIA H200 (140 GiB)".
std::string deviceText(const DeviceInfo& info);

} // namespace assay::cuda
