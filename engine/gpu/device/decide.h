#pragma once

#include "engine/gpu/device/bounds.h"
#include "engine/gpu/device/pass_data.h"

namespace assay::cuda {

// The decisions about one pair, with everything that several threads may change at once left to `Memory`:
//     std::uint32_t Memory::increment(std::uint32_t*)            returns what was there
//     unsigned long long Memory::increment(unsigned long long*)

/// Whether a row takes part in what a region is run for.
ASSAY_HOST_DEVICE bool takesPart(const SetState& set, const Wanted& wanted, std::uint32_t row) {
    return wanted.neighbors && set.k > 0 && (wanted.level == 0 || set.level[row] >= wanted.level);
}

/// The largest reach that a row asks pairs for; minus infinity when it asks for none.
ASSAY_HOST_DEVICE float widestReach(const SetState& set, const Wanted& wanted, std::uint32_t row) {
    const float near = takesPart(set, wanted, row) ? set.reach[row] : -infinity();
    const float ball = wanted.balls && set.ballReach != nullptr ? set.ballReach[row] : -infinity();
    return near > ball ? near : ball;
}

/// Offers a pair to the list of one of its rows.
template <typename Memory>
ASSAY_HOST_DEVICE void propose(const SetState& set, const Wanted& wanted, std::uint32_t row, std::uint32_t other,
                               float estimate, float residual, float otherResidual, Memory& memory) {
    if (!takesPart(set, wanted, row) || !admits(estimate, set.reach[row], residual, otherResidual))
        return;
    // What does not fit is counted all the same, so that the overflow is seen.
    const std::uint32_t place = memory.increment(set.count + row);
    if (place < set.capacity)
        set.list[static_cast<std::size_t>(row) * set.capacity + place] = Proposal{estimate, other};
}

/// Counts a pair that is certainly in both balls around `centre`.
template <typename Memory>
ASSAY_HOST_DEVICE void countInside(const SetState& centres, const SetState& points, std::uint32_t centre,
                                   std::uint32_t point, Memory& memory) {
    memory.increment(centres.counters + centres.counterAt(Counter::Inside, centre));
    memory.increment(points.counters + points.counterAt(Counter::Held, point));
    if (centres.innerRadius == nullptr)
        return;
    memory.increment(centres.counters + centres.counterAt(Counter::InsideInner, centre));
    memory.increment(points.counters + points.counterAt(Counter::HeldInner, point));
}

/// Decides one ball by the bounds. @return whether it is left in doubt
template <typename Memory>
ASSAY_HOST_DEVICE bool decideBall(const SetState& centres, const SetState& points, std::uint32_t centre,
                                  std::uint32_t point, float estimate, float reach, Memory& memory) {
    if (centres.ballReach == nullptr ||
        !admits(estimate, centres.ballReach[centre], centres.residual[centre], points.residual[point]))
        return false;
    if (reach > centres.ballSure[centre])
        return true;
    countInside(centres, points, centre, point, memory);
    return false;
}

/// Counts a measured pair. @param distance as measured, unscaled
template <typename Memory>
ASSAY_HOST_DEVICE void countMeasured(const SetState& centres, const SetState& points, std::uint32_t centre,
                                     std::uint32_t point, double distance, Memory& memory) {
    if (distance <= centres.radius[centre]) {
        memory.increment(centres.counters + centres.counterAt(Counter::Inside, centre));
        memory.increment(points.counters + points.counterAt(Counter::Held, point));
    }
    if (centres.innerRadius != nullptr && distance <= centres.innerRadius[centre]) {
        memory.increment(centres.counters + centres.counterAt(Counter::InsideInner, centre));
        memory.increment(points.counters + points.counterAt(Counter::HeldInner, point));
    }
}

/// Everything that one pair of rows is good for. @param x, y row numbers
template <typename Memory>
ASSAY_HOST_DEVICE void decidePair(const RegionJob& job, std::uint32_t x, std::uint32_t y, float estimate,
                                  Memory& memory) {
    if (job.diagonal && x >= y)
        return;
    const float residualX = job.x.residual[x];
    const float residualY = job.y.residual[y];
    propose(job.x, job.wanted, x, y, estimate, residualX, residualY, memory);
    propose(job.y, job.wanted, y, x, estimate, residualY, residualX, memory);
    if (!job.wanted.balls || (job.x.ballReach == nullptr && job.y.ballReach == nullptr))
        return;
    const float reach = reachOf(estimate, job.x.slack[x], job.y.slack[y], residualX, residualY);
    const bool aroundX = decideBall(job.x, job.y, x, y, estimate, reach, memory);
    const bool aroundY = decideBall(job.y, job.x, y, x, estimate, reach, memory);
    if (!aroundX && !aroundY)
        return;
    const unsigned long long place = memory.increment(&job.report->doubts);
    if (place < job.doubtCapacity)
        job.doubts[place] = Doubt{x | (aroundX ? kDoubtful : 0U), y | (aroundY ? kDoubtful : 0U)};
}

} // namespace assay::cuda
