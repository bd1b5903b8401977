#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/gpu/device/device.h"
#include "engine/gpu/device/device_buffer.h"
#include "engine/gpu/search/device_accelerator.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace assay::cuda {
namespace {

/// Division of a set into chunks of rows for a device's memory.
struct ChunkPlan {
    std::size_t rows = 0;   ///< of a chunk, multiple of kSliceRows
    std::size_t places = 0; ///< chunks in device memory at a time
};

/// The result of `make` for the first plan that fits into free memory; nothing where none does.
/// @param bytesOf device memory of a plan
/// @throws whatever `make` throws, except OutOfDeviceMemory
template <typename BytesOf, typename Make>
auto withinMemory(Device& device, const std::vector<ChunkPlan>& plans, const BytesOf& bytesOf, const Make& make)
    -> std::optional<decltype(make(plans.front()))> {
    const double budget = static_cast<double>(device.freeBytes()) * kShareOfFree;
    for (const ChunkPlan& plan : plans) {
        if (static_cast<double>(bytesOf(plan)) > budget)
            continue;
        try {
            return make(plan);
        } catch (const OutOfDeviceMemory&) { // NOLINT(bugprone-empty-catch): a smaller plan follows
        }
    }
    return std::nullopt;
}

/// Copies the rows of a set to a device in chunks. The next chunk is copied while the current one is processed.
class RowChunks {
public:
    struct Chunk {
        const float* data; ///< in device memory
        std::size_t first, rows;
    };

    /// @param memory room for plan.places * plan.rows * set.dim values
    RowChunks(Device& device, MatrixView set, const ChunkPlan& plan, float* memory);

    /// Calls `work`, which queues kernels, for each chunk in order and waits for them. Checks for a stop after each
    /// chunk.
    /// @throws Error{DeviceFailed}, Cancelled
    void forEach(const JobContext& job, const std::function<void(const Chunk&)>& work);

private:
    std::size_t count() const { return (set_.rows + plan_.rows - 1) / plan_.rows; }
    unsigned slotOf(std::size_t chunk) const { return static_cast<unsigned>(chunk % plan_.places); }
    Chunk chunkAt(std::size_t chunk) const;
    void load(std::size_t chunk);

    Device& device_;
    MatrixView set_;
    ChunkPlan plan_;
    float* memory_;
};

/// Rounds down to a multiple of kSliceRows, at least one slice.
std::size_t wholeSlices(std::size_t rows) {
    return std::max<std::size_t>(1, rows / kSliceRows) * kSliceRows;
}

/// Plans to try in this order, each of less memory than those before.
/// @param preferred rows of a chunk, multiple of kSliceRows
std::vector<ChunkPlan> chunkPlans(std::size_t setRows, std::size_t preferred) {
    const std::size_t all = (setRows + kSliceRows - 1) / kSliceRows * kSliceRows;
    std::vector<ChunkPlan> plans;
    for (std::size_t rows = std::min(preferred, all);; rows = wholeSlices(rows / 2)) {
        plans.push_back({rows, rows < setRows ? std::size_t{2} : std::size_t{1}});
        if (rows == kSliceRows)
            return plans;
    }
}

RowChunks::RowChunks(Device& device, MatrixView set, const ChunkPlan& plan, float* memory)
    : device_(device), set_(set), plan_(plan), memory_(memory) {}

RowChunks::Chunk RowChunks::chunkAt(std::size_t chunk) const {
    const std::size_t first = chunk * plan_.rows;
    return {memory_ + slotOf(chunk) * plan_.rows * set_.dim, first, std::min(plan_.rows, set_.rows - first)};
}

void RowChunks::load(std::size_t chunk) {
    const unsigned slot = slotOf(chunk);
    const Chunk place = chunkAt(chunk);
    device_.loadValues(slot, set_.rowData(place.first), memory_ + slot * plan_.rows * set_.dim, place.rows * set_.dim);
}

void RowChunks::forEach(const JobContext& job, const std::function<void(const Chunk&)>& work) {
    load(0);
    for (std::size_t c = 0; c < count(); ++c) {
        const unsigned slot = slotOf(c);
        device_.waitForSlots(slot, slot);
        work(chunkAt(c));
        device_.releaseSlots(slot, slot);
        if (c + 1 < count())
            load(c + 1);
        device_.wait();
        job.checkpoint(static_cast<double>(c + 1) / static_cast<double>(count()));
    }
}

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
