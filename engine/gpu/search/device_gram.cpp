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
constexpr std::size_t kMostDim = 4096; // with more columns one slice exceeds kChunkWork

struct GramShape {
    std::size_t rows, dim;
    bool scaled;
};

std::size_t preferredRows(const GramShape& shape) {
    const auto dim = static_cast<double>(shape.dim);
    const auto byWork = static_cast<std::size_t>(kChunkWork / (dim * dim));
    return std::min(wholeSlices(byWork), wholeSlices(kChunkValues / shape.dim));
}

struct GramMemory {
    float* rows;
    double* scale;
    double* mean;
    double* parts;
    double* product;
    std::size_t bytes;

    static GramMemory carve(const GramShape& shape, const ChunkPlan& plan, std::byte* base) {
        Carver carver(base);
        const auto dim = static_cast<std::uint32_t>(shape.dim);
        GramMemory memory{};
        memory.rows = carver.take<float>(plan.places * plan.rows * shape.dim);
        memory.scale = shape.scaled ? carver.take<double>(shape.rows) : nullptr;
        memory.mean = carver.take<double>(shape.dim);
        memory.parts = carver.take<double>(plan.rows / kSliceRows * gramTiles(dim) * kGramTile * kGramTile);
        memory.product = carver.take<double>(shape.dim * shape.dim);
        memory.bytes = carver.used();
        return memory;
    }
};

/// The arguments of GramAccelerator::gram.
struct GramInput {
    MatrixView set;
    std::span<const double> mean, scale;

    GramShape shape() const { return {set.rows, set.dim, !scale.empty()}; }
};

DoubleMatrix gramWith(Device& device, const ChunkPlan& plan, const GramInput& input, const JobContext& job) {
    const MatrixView set = input.set;
    const GramShape shape = input.shape();
    DoubleMatrix product(set.dim, set.dim);
    const DeviceBuffer buffer(device, GramMemory::carve(shape, plan, nullptr).bytes);
    const GramMemory memory = GramMemory::carve(shape, plan, buffer.base());
    device.fill(memory.product, 0, product.values.size() * sizeof(double));
    device.upload(memory.mean, input.mean.data(), input.mean.size_bytes());
    if (shape.scaled)
        device.upload(memory.scale, input.scale.data(), input.scale.size_bytes());
    RowChunks(device, set, plan, memory.rows).forEach(job, [&](const RowChunks::Chunk& chunk) {
        GramJob gram;
        gram.rows = chunk.data;
        gram.scale = shape.scaled ? memory.scale + chunk.first : nullptr;
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
    const GramShape shape = input.shape();
    if (set.rows == 0 || set.dim == 0 || set.dim > kMostDim)
        return std::nullopt;
    const auto bytesOf = [&](const ChunkPlan& plan) { return GramMemory::carve(shape, plan, nullptr).bytes; };
    return withinMemory(device, chunkPlans(set.rows, preferredRows(shape), Passes::One), bytesOf,
                        [&](const ChunkPlan& plan) { return gramWith(device, plan, input, job); });
}

} // namespace assay::cuda
