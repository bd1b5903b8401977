#include "engine/neighbors/products/ball_counter.h"

#include "engine/math/products/kernels.h"

#include <atomic>

namespace assay {

BallCounter::BallCounter(const SearchSide& side, const BallRadii& radii) : side_(side), radii_(radii) {
    if (radii_.outer.empty())
        return;
    inside.assign(side_.queries.rows, 0);
    holding.assign(side_.base.rows, 0);
    limit_.reserve(side_.queries.rows);
    for (const double radius : radii_.outer)
        limit_.push_back(roundUp(radius * side_.scale * radius * side_.scale));
    if (radii_.inner.empty())
        return;
    insideInner.assign(side_.queries.rows, 0);
    innerHolding.assign(side_.base.rows, 0);
}

void BallCounter::visit(std::size_t centre, std::size_t point, float estimate) {
    const PairBounds bounds = boundsOf(side_.queryOperand->bounds(centre), side_.baseOperand->bounds(point), estimate);
    double distance = -1.0; // measured once, when a bound leaves a doubt
    const auto holds = [&](double radius) {
        const double squared = radius * side_.scale * radius * side_.scale;
        // The margin covers the rounding of the measured distance that the definition speaks of.
        if (bounds.high < squared * (1.0 - 1e-9))
            return true;
        if (bounds.low > static_cast<double>(roundUp(squared)))
            return false;
        if (distance < 0.0)
            distance = directDistance(side_.queries, centre, side_.base, point);
        return distance <= radius;
    };
    count(centre, point, holds);
}

void BallCounter::decide(std::size_t centre, std::size_t point, double distance) {
    count(centre, point, [&](double radius) { return distance <= radius; });
}

template <typename Holds>
void BallCounter::count(std::size_t centre, std::size_t point, const Holds& holds) {
    if (!holds(radii_.outer[centre]))
        return;
    ++inside[centre];
    std::atomic_ref(holding[point]).fetch_add(1, std::memory_order_relaxed);
    if (!radii_.inner.empty() && holds(radii_.inner[centre])) {
        ++insideInner[centre];
        std::atomic_ref(innerHolding[point]).fetch_add(1, std::memory_order_relaxed);
    }
}

} // namespace assay
