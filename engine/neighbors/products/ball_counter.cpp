#include "engine/neighbors/products/ball_counter.h"

#include "engine/math/products/kernels.h"

#include <atomic>

namespace assay {

BallCounter::BallCounter(const BallSide& side) : side_(side) {
    if (side_.radius.empty())
        return;
    inside.assign(side_.centres.rows, 0);
    holding.assign(side_.points.rows, 0);
    limit_.reserve(side_.centres.rows);
    for (const double radius : side_.radius)
        limit_.push_back(roundUp(radius * side_.scale * radius * side_.scale));
    if (side_.innerRadius.empty())
        return;
    insideInner.assign(side_.centres.rows, 0);
    innerHolding.assign(side_.points.rows, 0);
}

void BallCounter::visit(std::size_t centre, std::size_t point, float estimate) {
    const PairBounds bounds =
        PairBounds::of(side_.centreOperand->bounds(centre), side_.pointOperand->bounds(point), estimate);
    double distance = -1.0; // measured once, when a bound leaves a doubt
    const auto holds = [&](double radius) {
        const double squared = radius * side_.scale * radius * side_.scale;
        // The margin covers the rounding of the measured distance that the definition speaks of.
        if (bounds.high < squared * (1.0 - 1e-9))
            return true;
        if (bounds.low > static_cast<double>(roundUp(squared)))
            return false;
        if (distance < 0.0)
            distance = directDistance(side_.centres, centre, side_.points, point);
        return distance <= radius;
    };
    count(centre, point, holds);
}

void BallCounter::decide(std::size_t centre, std::size_t point, double distance) {
    count(centre, point, [&](double radius) { return distance <= radius; });
}

template <typename Holds>
void BallCounter::count(std::size_t centre, std::size_t point, const Holds& holds) {
    if (!holds(side_.radius[centre]))
        return;
    ++inside[centre];
    std::atomic_ref(holding[point]).fetch_add(1, std::memory_order_relaxed);
    if (!side_.innerRadius.empty() && holds(side_.innerRadius[centre])) {
        ++insideInner[centre];
        std::atomic_ref(innerHolding[point]).fetch_add(1, std::memory_order_relaxed);
    }
}

} // namespace assay
