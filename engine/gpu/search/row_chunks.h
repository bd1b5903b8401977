#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/gpu/device/device.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace assay::cuda {

/// Division of a set into chunks of rows for a device's memory.
struct ChunkPlan {
    std::size_t rows = 0;   ///< of a chunk, multiple of kSliceRows
    std::size_t places = 0; ///< chunks in device memory at a time
};

/// Rounds down to a multiple of kSliceRows, at least one slice.
std::size_t wholeSlices(std::size_t rows);

/// Plans to try in this order, each of less memory than those before.
/// @param preferred rows of a chunk, multiple of kSliceRows
std::vector<ChunkPlan> chunkPlans(std::size_t setRows, std::size_t preferred);

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

} // namespace assay::cuda
