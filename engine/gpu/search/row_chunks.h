#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/gpu/device/device.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace assay::cuda {

/// How a set goes through a device's memory.
struct ChunkPlan {
    std::size_t rows = 0;   ///< of a chunk: whole slices
    std::size_t places = 0; ///< chunks that are there at a time
};

/// Whether a set is gone through once, or so often that it had better stay.
enum class Passes { One, Many };

/// Rows in whole slices, at least one: rounded down.
std::size_t wholeSlices(std::size_t rows);

/// Plans to try, one after the other, each for less memory than those before.
/// @param preferred rows of a chunk, whole slices
std::vector<ChunkPlan> chunkPlans(std::size_t setRows, std::size_t preferred, Passes passes);

/// What `make` makes of the first plan that there is memory for; nothing where there is none.
/// @param bytesOf of a plan
/// @throws what `make` throws, but for OutOfDeviceMemory
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

/// The rows of a set in a device's memory, chunk after chunk. Chunks that have a place of their own stay there;
/// otherwise the next one is copied while one is worked on.
class RowChunks {
public:
    struct Chunk {
        const float* data; ///< in device memory
        std::size_t first, rows;
    };

    /// @param memory room for plan.places * plan.rows * set.dim values
    RowChunks(Device& device, MatrixView set, const ChunkPlan& plan, float* memory);

    /// Begins to copy the first chunk.
    void loadFirst() { load(0); }
    /// Queues `work` for each chunk in turn and waits for it. A stop is seen after each.
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
    std::vector<std::optional<std::size_t>> held_; ///< by slot
};

} // namespace assay::cuda
