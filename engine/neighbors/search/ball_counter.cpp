#include "engine/neighbors/search/ball_counter.h"

#include "engine/math/products/kernels.h"

#include <atomic>

namespace assay {

BallCounter::BallCounter(const SideQuery& centres, MatrixView points) : centres_(centres), points_(points) {
    if (centres.radius.empty())
        return;
    inside_.assign(centres.rows.rows, 0);
    holding_.assign(points.rows, 0);
    if (centres.innerRadius.empty())
        return;
    insideInner_.assign(centres.rows.rows, 0);
    innerHolding_.assign(points.rows, 0);
}

void BallCounter::addTo(SideResult& centres, SideResult& points) const {
    addCounts(centres.inside, inside_);
    addCounts(centres.insideInner, insideInner_);
    addCounts(points.holding, holding_);
    addCounts(points.innerHolding, innerHolding_);
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
            distance = directDistance(centres_.rows, centre, points_, point);
        return distance <= radius;
    });
}

void BallCounter::count(std::size_t centre, std::size_t point, double distance) {
    countIf(centre, point, [&](double radius) { return distance <= radius; });
}

template <typename Holds>
void BallCounter::countIf(std::size_t centre, std::size_t point, const Holds& holds) {
    if (!holds(centres_.radius[centre]))
        return;
    ++inside_[centre];
    std::atomic_ref(holding_[point]).fetch_add(1, std::memory_order_relaxed);
    if (!centres_.innerRadius.empty() && holds(centres_.innerRadius[centre])) {
        ++insideInner_[centre];
        std::atomic_ref(innerHolding_[point]).fetch_add(1, std::memory_order_relaxed);
    }
}

} // namespace assay
