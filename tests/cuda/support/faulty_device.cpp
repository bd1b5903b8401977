#include "tests/cuda/support/faulty_device.h"

#include "engine/gpu/device/region_tiles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace assay::cuda::test {
namespace {

template <typename T>
T nextUp(T value) {
    return std::nextafter(value, std::numeric_limits<T>::infinity());
}

bool holds(const DeviceRows& block, std::uint32_t begin, std::uint32_t end, std::uint32_t row) {
    return row >= block.first + begin && row < block.first + end;
}

} // namespace

template <typename T, typename Change>
void FaultyDevice::change(T* value, const Change& changed) {
    T now{};
    device().download(&now, value, sizeof now);
    now = changed(now);
    device().upload(value, &now, sizeof now);
}

void FaultyDevice::dropNearest(const SetState& set) {
    std::uint32_t count = 0;
    device().download(&count, set.count + row_, sizeof count);
    if (count == 0 || count > set.capacity) // a list that overflowed is made again
        return;
    Candidate* list = set.list + std::size_t{row_} * set.capacity;
    std::vector<Candidate> entries(count);
    device().download(entries.data(), list, count * sizeof(Candidate));
    const auto nearest = std::min_element(
        entries.begin(), entries.end(), [](const Candidate& a, const Candidate& b) { return a.estimate < b.estimate; });
    *nearest = entries.back();
    device().upload(list, entries.data(), count * sizeof(Candidate));
    const auto oneLess = [](std::uint32_t entriesBefore) { return entriesBefore - 1; };
    change(set.count + row_, oneLess);
    change(set.before + row_, oneLess);
}

void FaultyDevice::countOneMore(const SetState& set) {
    if (set.counters != nullptr)
        change(set.counters + set.counterAt(Counter::Inside, row_), [](std::uint32_t count) { return count + 1; });
}

void FaultyDevice::load(unsigned slot, const float* stored, float* rows, const PrepareJob& job) {
    device().load(slot, stored, rows, job);
    if (fault_ == Fault::RowResidual && job.terms.residual != nullptr && row_ < job.count)
        change(job.terms.residual + row_, [](float value) { return value / 2.0F; });
}

void FaultyDevice::setBallBounds(const SetState& set, double scale) {
    device().setBallBounds(set, scale);
    if (fault_ == Fault::BallBound && row_ < set.rows)
        change(set.ballReach + row_, [](float value) { return value / 2.0F; });
}

void FaultyDevice::lowerReaches(const ReachJob& job) {
    device().lowerReaches(job);
    if (fault_ == Fault::Product) // with sampled row 0: a row's reach with itself is infinite
        change(static_cast<float*>(job.bounds) + row_ * wholeTiles(job.sample.count), [](float) { return 0.0F; });
    if (fault_ == Fault::SampledReach && holds(job.a, job.begin, job.end, row_))
        change(job.x.reach + row_, [](float value) { return value / 2.0F; });
}

void FaultyDevice::startRegion(const RegionJob& job) {
    device().startRegion(job);
    const Region& region = job.region;
    if (!holds(job.a, region.xBegin, region.xEnd, row_))
        return;
    if (fault_ == Fault::MissedNeighbor && job.wanted.neighbors && job.x.k > 0)
        dropNearest(job.x);
    if (fault_ == Fault::CertainBallCount && job.wanted.balls)
        countOneMore(job.x);
    if (fault_ == Fault::ListReach && job.wanted.neighbors && job.x.k > 0)
        for (std::uint32_t row = job.a.first + region.xBegin; row < job.a.first + region.xEnd; ++row)
            change(job.x.reach + row, [](float value) { return value / 4.0F; });
}

std::uint32_t FaultyDevice::longestList(const SetState& set, Report* report) {
    return device().longestList(set, report) - (fault_ == Fault::LongestList ? 1 : 0);
}

void FaultyDevice::measureLists(const MeasureJob& job) {
    device().measureLists(job);
    const std::size_t first = std::size_t{row_} * job.x.k;
    if (!holds(job.a, job.begin, job.end, row_))
        return;
    if (fault_ == Fault::DistanceUlp)
        change(job.x.distance + first, nextUp<double>);
    if (fault_ != Fault::TieOrder)
        return;
    std::vector<double> distance(job.x.k);
    std::vector<std::uint32_t> index(job.x.k);
    device().download(distance.data(), job.x.distance + first, distance.size() * sizeof(double));
    device().download(index.data(), job.x.index + first, index.size() * sizeof(std::uint32_t));
    const auto tied = std::adjacent_find(distance.begin(), distance.end());
    if (tied == distance.end())
        return;
    const auto rank = static_cast<std::size_t>(tied - distance.begin());
    std::swap(index[rank], index[rank + 1]);
    device().upload(job.x.index + first, index.data(), index.size() * sizeof(std::uint32_t));
}

void FaultyDevice::measureUndecided(const RegionJob& job, std::uint32_t count) {
    device().measureUndecided(job, count);
    if (fault_ == Fault::UndecidedBallCount && holds(job.a, job.region.xBegin, job.region.xEnd, row_))
        countOneMore(job.x);
}

void FaultyDevice::listPairs(const PairJob& job) {
    device().listPairs(job);
    if (fault_ == Fault::ListedPair)
        change(&job.hits[0].estimate, nextUp<float>);
}

void FaultyDevice::addToGram(const GramJob& job) {
    device().addToGram(job);
    if (fault_ == Fault::GramProduct)
        change(job.product, [](double value) { return value * (1.0 + 1e-9); });
}

void FaultyDevice::moveRows(const LayoutJob& job) {
    device().moveRows(job);
    if (fault_ == Fault::LayoutStep)
        change(&job.to[row_].at[1], nextUp<float>);
}

} // namespace assay::cuda::test
