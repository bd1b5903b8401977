#include "engine/gpu/device/carver.h"
#include "engine/gpu/device/device_buffer.h"
#include "engine/gpu/search/device_accelerator.h"
#include "engine/gpu/search/row_chunks.h"

#include <algorithm>

namespace assay::cuda {
namespace {

// A chunk takes some hundredths of a second on the slowest cards, so that a stop request is seen soon.
constexpr double kChunkWork = 0x1p33; ///< rows * dim^2
constexpr std::size_t kChunkValues = std::size_t{1} << 23;
constexpr std::size_t kMaxDim = 4096; // with more columns one slice exceeds kChunkWork

/// The arguments of GramAccelerator::gram.
struct GramInput {
    MatrixView set;
    std::span<const double> mean, scale;
};

std::size_t preferredRows(std::size_t dim) {
    const auto byWork = static_cast<std::size_t>(kChunkWork / static_cast<double>(dim * dim));
    return std::min(wholeSlices(byWork), wholeSlices(kChunkValues / dim));
}

struct GramMemory {
    float* rows;
    double* scale;
    double* mean;
    double* parts;
    double* product;
    std::size_t bytes;

    static GramMemory carve(const GramInput& input, const ChunkPlan& plan, std::byte* base) {
        Carver carver(base);
        const std::size_t dim = input.set.dim;
        GramMemory memory{};
        memory.rows = carver.take<float>(plan.places * plan.rows * dim);
        memory.scale = input.scale.empty() ? nullptr : carver.take<double>(input.scale.size());
        memory.mean = carver.take<double>(dim);
        memory.parts = carver.take<double>(plan.rows / kSliceRows * gramTiles(static_cast<std::uint32_t>(dim)) *
                                           kGramTile * kGramTile);
        memory.product = carver.take<double>(dim * dim);
        memory.bytes = carver.used();
        return memory;
    }
};

DoubleMatrix gramWith(Device& device, const ChunkPlan& plan, const GramInput& input, const JobContext& job) {
    const MatrixView set = input.set;
    DoubleMatrix product(set.dim, set.dim);
    const DeviceBuffer buffer(device, GramMemory::carve(input, plan, nullptr).bytes);
    const GramMemory memory = GramMemory::carve(input, plan, buffer.base());
    device.fill(memory.product, 0, product.values.size() * sizeof(double));
    device.upload(memory.mean, input.mean.data(), input.mean.size_bytes());
    if (!input.scale.empty())
        device.upload(memory.scale, input.scale.data(), input.scale.size_bytes());
    RowChunks(device, set, plan, memory.rows).forEach(job, [&](const RowChunks::Chunk& chunk) {
        GramJob gram;
        gram.rows = chunk.data;
        gram.scale = input.scale.empty() ? nullptr : memory.scale + chunk.first;
        gram.mean = memory.mean;
        gram.count = static_cast<std::uint32_t>(chunk.rows);
        gram.dim = static_cast<std::uint32_t>(set.dim);
        gram.parts = memory.parts;
        gram.product = memory.product;
        device.addToGram(gram);
    });
    device.download(product.values.data(), memory.product, product.values.size() * sizeof(double));
    return product;
}

} // namespace

std::optional<DoubleMatrix> gramOnDevice(Device& device, MatrixView set, std::span<const double> mean,
                                         std::span<const double> scale, const JobContext& job) {
    const GramInput input{set, mean, scale};
    if (set.rows == 0 || set.dim == 0 || set.dim > kMaxDim)
        return std::nullopt;
    const auto bytesOf = [&](const ChunkPlan& plan) { return GramMemory::carve(input, plan, nullptr).bytes; };
    return withinMemory(device, chunkPlans(set.rows, preferredRows(set.dim)), bytesOf,
                        [&](const ChunkPlan& plan) { return gramWith(device, plan, input, job); });
}

} // namespace assay::cuda
