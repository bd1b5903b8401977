#include "engine/gpu/search/pass_memory.h"

#include "engine/gpu/device/bounds.h"
#include "engine/gpu/device/carver.h"

#include <algorithm>

namespace assay::cuda {
namespace {

std::size_t roundedUp(std::size_t rows) {
    return (rows + kTileEdge - 1) / kTileEdge * kTileEdge;
}

struct SetShape {
    std::size_t rows, others, k;
    bool balls, inner, othersHaveBalls;
    bool sampled; ///< the other set has lists
    std::size_t slots;
};

SetState carveState(const SetShape& set, const PassPlan& plan, Carver& carver) {
    SetState state;
    state.rows = static_cast<std::uint32_t>(set.rows);
    state.term = carver.take<float>(set.rows);
    state.slack = carver.take<float>(set.rows);
    state.residual = carver.take<float>(set.rows);
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
        state.ballReach = carver.take<float>(set.rows);
        state.ballSure = carver.take<float>(set.rows);
    }
    if (set.balls || set.othersHaveBalls)
        state.counters = carver.take<std::uint32_t>(set.rows * kCounters);
    return state;
}

SetPlace carvePlace(const SetShape& set, const PassShape& shape, const PassPlan& plan, Carver& carver) {
    const std::size_t padded = paddedColumns(shape.dim);
    SetPlace place;
    place.rows = carver.take<float>(set.slots * plan.blockRows * shape.dim);
    place.rounded = carver.take<std::uint16_t>(set.slots * plan.blockRows * padded);
    if (set.sampled) {
        place.samples = static_cast<std::uint32_t>(std::min<std::size_t>(plan.sampleRows, set.rows));
        const std::size_t rows = roundedUp(place.samples);
        place.sampleRows = carver.take<float>(rows * shape.dim);
        place.sample = carver.take<std::uint16_t>(rows * padded);
        place.sampleIndex = carver.take<std::uint32_t>(rows);
        place.sampleTerm = carver.take<float>(rows);
        place.sampleSlack = carver.take<float>(rows);
        place.sampleResidual = carver.take<float>(rows);
    }
    if (set.balls) {
        place.radius = carver.take<double>(set.rows);
        place.innerRadius = set.inner ? carver.take<double>(set.rows) : nullptr;
    }
    if (set.balls || set.othersHaveBalls)
        place.savedCounters = carver.take<std::uint32_t>(set.rows * kCounters);
    return place;
}

} // namespace

PassMemory PassMemory::carve(const PassShape& shape, const PassPlan& plan, std::byte* base) {
    Carver carver(base);
    PassMemory memory;
    const std::size_t others = shape.self() ? shape.rowsX : shape.rowsY;
    const SetShape x{shape.rowsX,
                     others,
                     shape.kX,
                     shape.ballsX,
                     shape.innerBallsX,
                     shape.ballsY,
                     shape.self() ? shape.kX > 0 : shape.kY > 0,
                     plan.slotsX};
    memory.x = carveState(x, plan, carver);
    memory.placeX = carvePlace(x, shape, plan, carver);
    memory.x.radius = memory.placeX.radius;
    memory.x.innerRadius = memory.placeX.innerRadius;
    if (shape.self()) {
        memory.y = memory.x;
        memory.placeY = memory.placeX;
    } else {
        const SetShape y{shape.rowsY, shape.rowsX,  shape.kY,     shape.ballsY,
                         false,       shape.ballsX, shape.kX > 0, plan.slotsY};
        memory.y = carveState(y, plan, carver);
        memory.placeY = carvePlace(y, shape, plan, carver);
        memory.y.radius = memory.placeY.radius;
    }
    memory.centre = carver.take<float>(shape.dim);
    const std::size_t samples = roundedUp(plan.sampleRows);
    memory.bounds = carver.take<float>(samples * plan.primeRows);
    memory.undecided = carver.take<UndecidedPair>(plan.undecidedCapacity);
    memory.report = carver.take<Report>(1);
    memory.bytes = carver.used();
    return memory;
}

} // namespace assay::cuda
