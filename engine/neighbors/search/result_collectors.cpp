#include "engine/neighbors/search/result_collectors.h"

#include "engine/math/products/kernels.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <utility>

namespace assay {

void NearestMeasured::start(NeighborTable known) {
    table_ = std::move(known);
    for (std::size_t query = 0; query < count_.size(); ++query) {
        const std::uint32_t* row = table_.index.data() + query * k();
        count_[query] = static_cast<std::uint32_t>(std::find(row, row + k(), kNoNeighbor) - row);
    }
}

double NearestMeasured::furthest(std::size_t query) const noexcept {
    return k() > 0 && count_[query] == k() ? table_.distance[(query + 1) * k() - 1]
                                           : std::numeric_limits<double>::infinity();
}

NearestMeasured::Row::Row(NearestMeasured& nearest, std::size_t query)
    : firstIndex_(nearest.firstIndex_), k_(nearest.k()), count_(nearest.count_[query]),
      distance_(nearest.table_.distance.data() + query * k_), index_(nearest.table_.index.data() + query * k_) {}

void NearestMeasured::Row::add(std::uint32_t index, double distance) {
    constexpr std::size_t kFew = 8; // to be moved when one is inserted
    const Measured found{distance, firstIndex_ + index};
    if (count_ == k_) {
        if (!(found < at(k_ - 1)))
            return;
        if (k_ <= kFew)
            insert(found);
        else
            added_.push_back(found);
        return;
    }
    put(count_, found);
    if (++count_ == k_)
        sort();
}

void NearestMeasured::Row::sort() {
    constexpr std::size_t kMaxOnStack = 1024;
    std::array<Measured, kMaxOnStack> few;
    std::vector<Measured> many(count_ <= kMaxOnStack ? 0 : count_);
    Measured* all = count_ <= kMaxOnStack ? few.data() : many.data();
    for (std::uint32_t n = 0; n < count_; ++n)
        all[n] = at(n);
    std::sort(all, all + count_);
    for (std::uint32_t n = 0; n < count_; ++n)
        put(n, all[n]);
}

void NearestMeasured::Row::merge() {
    std::sort(added_.begin(), added_.end());
    std::size_t kept = k_; // of those that were there
    std::size_t taken = 0;
    while (taken < added_.size() && kept > 0 && added_[taken] < at(kept - 1)) {
        ++taken;
        --kept;
    }
    for (std::size_t place = k_; taken > 0;) {
        const bool old = kept > 0 && added_[taken - 1] < at(kept - 1);
        put(--place, old ? at(kept - 1) : added_[taken - 1]);
        (old ? kept : taken) -= 1;
    }
    added_.clear();
}

void NearestMeasured::Row::insert(const Measured& found) {
    std::size_t place = k_ - 1;
    for (; place > 0 && found < at(place - 1); --place)
        put(place, at(place - 1));
    put(place, found);
}

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
