#include "engine/neighbors/search/ball_counter.h"

#include "engine/math/products/kernels.h"

#include <atomic>

namespace assay {

BallCounter::BallCounter(MatrixView centres, MatrixView points, const BallRadii& radii)
    : centres_(centres), points_(points), radii_(radii) {
    if (radii_.outer.empty())
        return;
    inside.assign(centres.rows, 0);
    holding.assign(points.rows, 0);
    if (radii_.inner.empty())
        return;
    insideInner.assign(centres.rows, 0);
    innerHolding.assign(points.rows, 0);
}

void BallCounter::count(std::size_t centre, std::size_t point, const PairBounds& bounds) {
    // The margin covers the rounding of the measured distance that the definition speaks of.
    constexpr double kRounding = 1e-9;
    double distance = -1.0; // measured once, when a bound leaves a doubt
    countIf(centre, point, [&](double radius) {
        const double squared = radius * radius;
        if (radius >= 0.0 && bounds.high < squared * (1.0 - kRounding))
            return true;
        if (bounds.low > squared * (1.0 + kRounding))
            return false;
        if (distance < 0.0)
            distance = directDistance(centres_, centre, points_, point);
        return distance <= radius;
    });
}

void BallCounter::count(std::size_t centre, std::size_t point, double distance) {
    countIf(centre, point, [&](double radius) { return distance <= radius; });
}

template <typename Holds>
void BallCounter::countIf(std::size_t centre, std::size_t point, const Holds& holds) {
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
