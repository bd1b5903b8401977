#include "engine/gpu/search/device_accelerator.h"

#include "engine/gpu/device/device_buffer.h"

#include <string>
#include <utility>

namespace assay::cuda {
namespace {

struct LayoutMemory {
    std::uint64_t* begin;
    std::uint32_t* neighbor;
    float* weight;
    LayoutPosition* from;
    LayoutPosition* to;
    std::size_t bytes;

    static LayoutMemory carve(const NeighborGraph& graph, std::byte* base) {
        Carver carver(base);
        LayoutMemory memory{};
        memory.begin = carver.take<std::uint64_t>(graph.begin.size());
        memory.neighbor = carver.take<std::uint32_t>(graph.neighbor.size());
        memory.weight = carver.take<float>(graph.weight.size());
        memory.from = carver.take<LayoutPosition>(graph.rows());
        memory.to = carver.take<LayoutPosition>(graph.rows());
        memory.bytes = carver.used();
        return memory;
    }
};

template <typename T>
void uploadAll(Device& device, T* to, std::span<const T> values) {
    device.upload(to, values.data(), values.size_bytes());
}

std::vector<LayoutPosition> layoutIn(Device& device, const NeighborGraph& graph, std::span<const LayoutPosition> start,
                                     const LayoutPlan& plan, const JobContext& job) {
    static_assert(sizeof(std::size_t) == sizeof(std::uint64_t));
    const DeviceBuffer buffer(device, LayoutMemory::carve(graph, nullptr).bytes);
    LayoutMemory memory = LayoutMemory::carve(graph, buffer.base());
    device.upload(memory.begin, graph.begin.data(), graph.begin.size() * sizeof(std::uint64_t));
    uploadAll<std::uint32_t>(device, memory.neighbor, graph.neighbor);
    uploadAll<float>(device, memory.weight, graph.weight);
    uploadAll<LayoutPosition>(device, memory.from, start);
    for (std::size_t number = 0; number < plan.rounds; ++number) {
        job.checkpoint(static_cast<double>(number) / static_cast<double>(plan.rounds));
        LayoutJob round{plan.round(number, start.size()), memory.to};
        round.round.begin = memory.begin;
        round.round.neighbor = memory.neighbor;
        round.round.weight = memory.weight;
        round.round.from = memory.from;
        device.moveRows(round);
        device.wait(); // a stop request is seen after each round
        std::swap(memory.from, memory.to);
    }
    std::vector<LayoutPosition> placed(start.size());
    device.download(placed.data(), memory.from, placed.size() * sizeof(LayoutPosition));
    return placed;
}

} // namespace

std::optional<std::vector<LayoutPosition>> layoutOnDevice(Device& device, const NeighborGraph& graph,
                                                          std::span<const LayoutPosition> start, const LayoutPlan& plan,
                                                          const JobContext& job) {
    if (start.empty() || static_cast<double>(LayoutMemory::carve(graph, nullptr).bytes) >
                             static_cast<double>(device.freeBytes()) * kShareOfFree)
        return std::nullopt;
    try {
        return layoutIn(device, graph, start, plan, job);
    } catch (const OutOfDeviceMemory&) {
        return std::nullopt;
    }
}

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
