#include "engine/gpu/search/row_chunks.h"

#include <algorithm>

namespace assay::cuda {

std::size_t wholeSlices(std::size_t rows) {
    return std::max<std::size_t>(1, rows / kSliceRows) * kSliceRows;
}

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

} // namespace assay::cuda
