// The part of Pass that copies sets to the device.
#include "engine/data/matrix_view.h"
#include "engine/gpu/device/bounds.h"
#include "engine/gpu/search/pass.h"

#include <algorithm>
#include <vector>

namespace assay::cuda {

void Pass::setUp(Side& side, std::span<const double> radius, std::span<const double> inner, unsigned sampleSlot) {
    const SetState& state = side.state;
    const std::size_t rows = state.rows;
    if (state.k > 0) {
        device_.fill(state.reach, kFarByte, rows * sizeof(float));
        device_.fill(state.count, 0, rows * sizeof(std::uint32_t));
        device_.fill(state.before, 0, rows * sizeof(std::uint32_t));
        device_.fill(state.level, 0, rows);
        device_.fill(state.index, 0xFF, rows * state.k * sizeof(std::uint32_t));
        device_.fill(state.distance, kFarByte, rows * state.k * sizeof(double));
    }
    if (!radius.empty()) {
        device_.upload(state.radius, radius.data(), rows * sizeof(double));
        if (!inner.empty())
            device_.upload(state.innerRadius, inner.data(), rows * sizeof(double));
        device_.setBallBounds(state, static_cast<double>(input_.frame.scale));
    }
    if (state.counters != nullptr)
        device_.fill(state.counters, 0, rows * kCounters * sizeof(std::uint32_t));
    if (side.place.sample.count > 0)
        loadSample(side, sampleSlot);
}

/// @param rows of the set in device memory
PrepareJob Pass::prepareJob(const Side& side, const float* rows, std::uint32_t count) const {
    PrepareJob prepare;
    prepare.rows = rows;
    prepare.count = count;
    prepare.padded = static_cast<std::uint32_t>(wholeTiles(count));
    prepare.dim = static_cast<std::uint32_t>(side.set.dim);
    prepare.paddedDim = static_cast<std::uint32_t>(paddedColumns(side.set.dim));
    prepare.centre = memory_.centre;
    prepare.scale = static_cast<double>(input_.frame.scale);
    prepare.precision = input_.shape.precision;
    return prepare;
}

void Pass::loadSample(Side& side, unsigned slot) {
    const SampledRows& sample = side.place.sample;
    const std::vector<std::uint32_t> index = evenlySpacedRows(side.set.rows, sample.count);
    const std::vector<float> stored = gatherRows(side.set, index);
    device_.upload(sample.index, index.data(), index.size() * sizeof(std::uint32_t));
    PrepareJob prepare = prepareJob(side, side.place.sampleRows, sample.count);
    prepare.operand = sample.operand;
    prepare.terms = sample.terms;
    device_.load(slot, stored.data(), side.place.sampleRows, prepare);
}

std::byte* Pass::operandAt(const Side& side, std::size_t slot) const {
    return side.place.operand +
           slot * plan_.blockRows * paddedColumns(side.set.dim) * valueBytes(input_.shape.precision);
}

DeviceRows Pass::blockAt(const Side& side, std::uint32_t block) const {
    const std::size_t slot = side.slots.find(block).value_or(0);
    const std::size_t first = std::size_t{block} * plan_.blockRows;
    return {side.place.rows + slot * plan_.blockRows * side.set.dim, operandAt(side, slot),
            static_cast<std::uint32_t>(first),
            static_cast<std::uint32_t>(std::min<std::size_t>(plan_.blockRows, side.set.rows - first))};
}

std::uint32_t Pass::load(Side& side, std::uint32_t block, const std::vector<std::uint32_t>& keep) {
    if (const auto slot = side.slots.find(block)) {
        side.slots.use(*slot);
        return side.firstSlot + *slot;
    }
    const Slots::Place place = side.slots.assign(block, keep);
    const DeviceRows at = blockAt(side, block);
    PrepareJob prepare = prepareJob(side, at.rows, at.count);
    prepare.operand = operandAt(side, place.slot);
    if (place.first) { // bounds stay in device memory when the block is replaced
        const RowTermArrays& all = side.state.terms;
        prepare.terms = {all.step + at.first, all.term + at.first, all.slack + at.first, all.residual + at.first};
    }
    device_.load(side.firstSlot + place.slot, side.set.rowData(at.first),
                 side.place.rows + std::size_t{place.slot} * plan_.blockRows * side.set.dim, prepare);
    return side.firstSlot + place.slot;
}

void Pass::prefetch(const BlockPair& pair, const BlockPair& next) {
    const bool self = sides_.size() == 1;
    const std::vector<std::uint32_t> keepX =
        self ? std::vector<std::uint32_t>{pair.x, pair.y, next.x, next.y} : std::vector<std::uint32_t>{pair.x, next.x};
    const std::vector<std::uint32_t> keepY = self ? keepX : std::vector<std::uint32_t>{pair.y, next.y};
    load(sides_[0], next.x, keepX);
    load(sideY(), next.y, keepY);
}

} // namespace assay::cuda
