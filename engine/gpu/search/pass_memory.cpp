#include "engine/gpu/search/pass_memory.h"

#include "engine/gpu/device/bounds.h"
#include "engine/gpu/device/carver.h"

#include <algorithm>

namespace assay::cuda {
namespace {

struct SetShape {
    std::size_t rows, k;
    bool balls, inner, othersHaveBalls;
    bool sampled; ///< the other set has lists
    std::size_t slots;
};

RowTermArrays carveTerms(std::size_t rows, Carver& carver) {
    float* step = carver.take<float>(rows);
    float* term = carver.take<float>(rows);
    float* slack = carver.take<float>(rows);
    return {step, term, slack, carver.take<float>(rows)};
}

SetState carveState(const SetShape& set, const PassPlan& plan, Carver& carver) {
    SetState state;
    state.rows = static_cast<std::uint32_t>(set.rows);
    state.terms = carveTerms(set.rows, carver);
    if (set.k > 0) {
        state.k = static_cast<std::uint32_t>(set.k);
        state.capacity = plan.capacity;
        state.measureAbove = plan.measureAbove;
        state.reach = carver.take<float>(set.rows);
        state.count = carver.take<std::uint32_t>(set.rows);
        state.before = carver.take<std::uint32_t>(set.rows);
        state.level = carver.take<std::uint8_t>(set.rows);
        state.list = carver.take<Candidate>(set.rows * plan.capacity);
        state.index = carver.take<std::uint32_t>(set.rows * set.k);
        state.distance = carver.take<double>(set.rows * set.k);
    }
    if (set.balls) {
        state.radius = carver.take<double>(set.rows);
        state.innerRadius = set.inner ? carver.take<double>(set.rows) : nullptr;
        state.ballReach = carver.take<float>(set.rows);
        state.ballSure = carver.take<float>(set.rows);
    }
    if (set.balls || set.othersHaveBalls)
        state.counters = carver.take<std::uint32_t>(set.rows * kCounters);
    return state;
}

SetPlace carvePlace(const SetShape& set, const PassShape& shape, const PassPlan& plan, Carver& carver) {
    const std::size_t rowBytes = paddedColumns(shape.dim) * valueBytes(shape.precision);
    SetPlace place;
    place.rows = carver.take<float>(set.slots * plan.blockRows * shape.dim);
    place.operand = carver.take<std::byte>(set.slots * plan.blockRows * rowBytes);
    if (set.sampled) {
        SampledRows& sample = place.sample;
        sample.count = static_cast<std::uint32_t>(std::min<std::size_t>(plan.sampleRows, set.rows));
        const std::size_t rows = wholeTiles(sample.count);
        place.sampleRows = carver.take<float>(rows * shape.dim);
        sample.operand = carver.take<std::byte>(rows * rowBytes);
        sample.index = carver.take<std::uint32_t>(rows);
        sample.terms = carveTerms(rows, carver);
    }
    if (set.balls || set.othersHaveBalls)
        place.savedCounters = carver.take<std::uint32_t>(set.rows * kCounters);
    return place;
}

} // namespace

PassMemory PassMemory::carve(const PassShape& shape, const PassPlan& plan, std::byte* base) {
    Carver carver(base);
    PassMemory memory;
    const SetShape x{.rows = shape.rowsX,
                     .k = shape.kX,
                     .balls = shape.ballsX,
                     .inner = shape.innerBallsX,
                     .othersHaveBalls = shape.ballsY,
                     .sampled = (shape.self() ? shape.kX : shape.kY) > 0,
                     .slots = plan.slotsX};
    memory.y = memory.x = carveState(x, plan, carver);
    memory.placeY = memory.placeX = carvePlace(x, shape, plan, carver);
    if (!shape.self()) {
        const SetShape y{.rows = shape.rowsY,
                         .k = shape.kY,
                         .balls = shape.ballsY,
                         .inner = false,
                         .othersHaveBalls = shape.ballsX,
                         .sampled = shape.kX > 0,
                         .slots = plan.slotsY};
        memory.y = carveState(y, plan, carver);
        memory.placeY = carvePlace(y, shape, plan, carver);
    }
    memory.centre = carver.take<float>(shape.dim);
    memory.products = carver.take<float>(plan.productValues);
    memory.undecided = carver.take<UndecidedPair>(plan.undecidedCapacity);
    memory.report = carver.take<Report>(1);
    memory.bytes = carver.used();
    return memory;
}

} // namespace assay::cuda
