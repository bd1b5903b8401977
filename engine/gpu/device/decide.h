#pragma once

#include "engine/gpu/device/bounds.h"
#include "engine/gpu/device/pass_data.h"

namespace assay::cuda {

// Decisions about one pair of rows. Counters that several threads may change at once are changed through `Memory`:
//     std::uint32_t Memory::increment(std::uint32_t*)            returns the value before
//     unsigned long long Memory::increment(unsigned long long*)

/// Whether a row's list takes part in a region.
ASSAY_HOST_DEVICE bool takesPart(const SetState& set, const Wanted& wanted, std::uint32_t row) {
    return wanted.neighbors && set.k > 0 && (wanted.level == 0 || set.level[row] >= wanted.level);
}

/// The largest distance at which a pair can matter to a row; minus infinity where none can.
ASSAY_HOST_DEVICE float widestReach(const SetState& set, const Wanted& wanted, std::uint32_t row) {
    const float near = takesPart(set, wanted, row) ? set.reach[row] : -infinity();
    const float ball = wanted.balls && set.ballReach != nullptr ? set.ballReach[row] : -infinity();
    return near > ball ? near : ball;
}

/// A pair of rows of two sets, from the side of one of them.
struct RowPair {
    std::uint32_t row, other;
    float estimate; ///< of the squared distance
    float residual, otherResidual;
};

/// Appends a pair to the list of `row`, if it may be among its k nearest.
template <typename Memory>
ASSAY_HOST_DEVICE void propose(const SetState& set, const Wanted& wanted, const RowPair& pair, Memory& memory) {
    if (!takesPart(set, wanted, pair.row) ||
        !mayBeWithin(pair.estimate, set.reach[pair.row], pair.residual, pair.otherResidual))
        return;
    // A pair that does not fit is counted too, which shows the overflow.
    const std::uint32_t place = memory.increment(set.count + pair.row);
    if (place < set.capacity)
        set.list[static_cast<std::size_t>(pair.row) * set.capacity + place] = Candidate{pair.estimate, pair.other};
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

/// Counts a pair whose row is a centre, if the bounds decide that it is inside the ball.
/// @param bound upper bound of the pair's distance
/// @return whether the bounds do not decide
template <typename Memory>
ASSAY_HOST_DEVICE bool decideBall(const SetState& centres, const SetState& points, const RowPair& pair, float bound,
                                  Memory& memory) {
    if (centres.ballReach == nullptr ||
        !mayBeWithin(pair.estimate, centres.ballReach[pair.row], pair.residual, pair.otherResidual))
        return false;
    if (bound > centres.ballSure[pair.row])
        return true;
    countInside(centres, points, pair.row, pair.other, memory);
    return false;
}

/// A pair whose distance was measured, unscaled.
struct MeasuredPair {
    std::uint32_t centre, point;
    double distance;
};

/// Counts a measured pair in the balls around its centre.
template <typename Memory>
ASSAY_HOST_DEVICE void countMeasured(const SetState& centres, const SetState& points, const MeasuredPair& pair,
                                     Memory& memory) {
    if (pair.distance <= centres.radius[pair.centre]) {
        memory.increment(centres.counters + centres.counterAt(Counter::Inside, pair.centre));
        memory.increment(points.counters + points.counterAt(Counter::Held, pair.point));
    }
    if (centres.innerRadius != nullptr && pair.distance <= centres.innerRadius[pair.centre]) {
        memory.increment(centres.counters + centres.counterAt(Counter::InsideInner, pair.centre));
        memory.increment(points.counters + points.counterAt(Counter::HeldInner, pair.point));
    }
}

/// Everything that a pair of tile rows can change: both lists, all balls. @param x, y row numbers
template <typename Memory>
ASSAY_HOST_DEVICE void decidePair(const RegionJob& job, std::uint32_t x, std::uint32_t y, float estimate,
                                  Memory& memory) {
    if (job.diagonal && x >= y)
        return;
    const RowPair ofX{x, y, estimate, job.x.terms.residual[x], job.y.terms.residual[y]};
    const RowPair ofY{y, x, estimate, ofX.otherResidual, ofX.residual};
    propose(job.x, job.wanted, ofX, memory);
    propose(job.y, job.wanted, ofY, memory);
    if (!job.wanted.balls || (job.x.ballReach == nullptr && job.y.ballReach == nullptr))
        return;
    const float bound = reachOf(estimate, job.x.terms.slack[x], job.y.terms.slack[y], ofX.residual, ofX.otherResidual);
    const bool aroundX = decideBall(job.x, job.y, ofX, bound, memory);
    const bool aroundY = decideBall(job.y, job.x, ofY, bound, memory);
    if (!aroundX && !aroundY)
        return;
    const unsigned long long place = memory.increment(&job.report->undecided);
    if (place < job.undecidedCapacity)
        job.undecided[place] = UndecidedPair{x | (aroundX ? kUndecidedBall : 0U), y | (aroundY ? kUndecidedBall : 0U)};
}

/// Lists a pair that its row's limit admits.
template <typename Memory>
ASSAY_HOST_DEVICE void listPair(const PairJob& job, const PairHit& hit, Memory& memory) {
    const unsigned long long place = memory.increment(job.count);
    if (place < job.capacity)
        job.hits[place] = hit;
}

} // namespace assay::cuda
