#include "engine/gpu/search/pass.h"

#include "engine/data/matrix_view.h"
#include "engine/gpu/device/bounds.h"

#include <algorithm>
#include <utility>

namespace assay::cuda {

Pass::Pass(Device& device, const PassPlan& plan, const PassInput& input)
    : device_(device), plan_(plan), input_(input), buffer_(device, plan.bytes),
      memory_(PassMemory::carve(input.shape, plan, buffer_.base())) {
    sides_.push_back({input.x, memory_.x, memory_.placeX, Slots(plan.slotsX, plan.blocksX), 0,
                      std::vector<bool>(plan.blocksX, false)});
    if (!input.shape.self())
        sides_.push_back({input.y, memory_.y, memory_.placeY, Slots(plan.slotsY, plan.blocksY), plan.slotsX,
                          std::vector<bool>(plan.blocksY, false)});
    device_.upload(memory_.centre, input.frame.centre.data(), input.frame.centre.size() * sizeof(float));
    const unsigned slots = plan.slotsX + plan.slotsY;
    setUp(sides_[0], input.radiusX, input.innerRadiusX, slots);
    if (sides_.size() > 1)
        setUp(sides_[1], input.radiusY, {}, slots + 1);
    device_.waitForSlots(slots, slots + static_cast<unsigned>(sides_.size()) - 1);
}

Pass::BlockPairSearch Pass::beginPair(const BlockPair& pair, const BlockPair* next, bool first) {
    Side& x = sides_[0];
    Side& y = sideY();
    const bool self = sides_.size() == 1;
    const std::vector<std::uint32_t> keep{pair.x, pair.y};
    const std::uint32_t slotX = load(x, pair.x, self ? keep : std::vector<std::uint32_t>{pair.x});
    const std::uint32_t slotY = load(y, pair.y, self ? keep : std::vector<std::uint32_t>{pair.y});
    device_.waitForSlots(slotX, slotY);
    BlockPairSearch search{{}, pair, slotX, slotY, next, first};
    RegionJob& job = search.job;
    job.x = x.state;
    job.y = y.state;
    job.a = blockAt(x, pair.x);
    job.b = blockAt(y, pair.y);
    job.dim = static_cast<std::uint32_t>(x.set.dim);
    job.paddedDim = static_cast<std::uint32_t>(paddedColumns(x.set.dim));
    job.precision = input_.shape.precision;
    job.products = memory_.products;
    job.productValues = plan_.productValues;
    job.sameSet = self;
    job.diagonal = self && pair.x == pair.y;
    job.undecided = memory_.undecided;
    job.undecidedCapacity = plan_.undecidedCapacity;
    job.report = memory_.report;
    return search;
}

void Pass::lowerReaches(Side& side, Side& other, std::uint32_t block) {
    const SampledRows& sample = other.place.sample;
    if (side.state.k == 0 || side.lowered[block] || sample.count < side.state.k)
        return;
    side.lowered[block] = true;
    ReachJob job;
    job.x = side.state;
    job.a = blockAt(side, block);
    job.sample = sample;
    job.paddedDim = static_cast<std::uint32_t>(paddedColumns(side.set.dim));
    job.precision = input_.shape.precision;
    job.sameSet = &side == &other;
    job.bounds = memory_.products;
    for (job.begin = 0; job.begin < job.a.count; job.begin = job.end) {
        job.end = std::min(job.a.count, job.begin + plan_.reachRows);
        device_.lowerReaches(job);
    }
}

void Pass::copyCounters(bool save) {
    for (const Side& side : sides_) {
        if (side.state.counters == nullptr)
            continue;
        const std::size_t bytes = std::size_t{side.state.rows} * kCounters * sizeof(std::uint32_t);
        if (save)
            device_.copy(side.place.savedCounters, side.state.counters, bytes);
        else
            device_.copy(side.state.counters, side.place.savedCounters, bytes);
    }
}

void Pass::requireFewCandidates(const RegionJob& regionJob, const Report& report) const {
    constexpr std::size_t kFew = 8; // one list in as many may overflow: ties do that whatever the bounds
    const std::size_t lists = (regionJob.x.k > 0 ? regionJob.a.count : 0) +
                              (regionJob.y.k > 0 && !regionJob.diagonal ? regionJob.b.count : 0);
    const std::size_t overflown = std::size_t{report.overflowX} + report.overflowY;
    if (regionJob.precision == Precision::Integer &&
        (overflown * kFew > lists || report.undecided > plan_.undecidedCapacity))
        throw IntegersTooCoarse{};
}

void Pass::searchRegion(BlockPairSearch& search, const Region& region, const Wanted& wanted, const JobContext& job) {
    job.throwIfStopped();
    RegionJob regionJob = search.job;
    regionJob.region = region;
    regionJob.wanted = wanted;
    if (wanted.balls)
        copyCounters(true);
    device_.startRegion(regionJob);
    if (search.next != nullptr)
        prefetch(search.pair, *std::exchange(search.next, nullptr));
    const Report report = device_.finishRegion(regionJob);
    if (std::exchange(search.first, false))
        requireFewCandidates(regionJob, report);
    if (wanted.neighbors)
        measureRegion(regionJob, report);
    if (wanted.balls)
        measureUndecidedPairs(search, regionJob, report, job);
    if (report.overflowX > 0 || report.overflowY > 0)
        repeatOverflowed(search, regionJob, report, job);
}

void Pass::measureUndecidedPairs(BlockPairSearch& search, const RegionJob& regionJob, const Report& report,
                                 const JobContext& job) {
    if (report.undecided <= plan_.undecidedCapacity) {
        if (report.undecided > 0)
            device_.measureUndecided(regionJob, static_cast<std::uint32_t>(report.undecided));
        return;
    }
    copyCounters(false);
    const std::vector<Region> parts = splitRegion(regionJob.region, false, true, true);
    if (parts.size() < 2)
        throw Error(ErrorKind::DeviceFailed,
                    device_.info().name + ": expected at most " + std::to_string(plan_.undecidedCapacity) +
                        " undecided pairs in one tile, found " + std::to_string(report.undecided));
    for (const Region& part : parts)
        searchRegion(search, part, {false, true, 0}, job);
}

MeasureJob Pass::measureJob(const SetState& state, const DeviceRows& own, const DeviceRows& other) const {
    MeasureJob measure;
    measure.x = state;
    measure.a = own;
    measure.end = own.count;
    measure.base = other.rows;
    measure.baseFirst = other.first;
    measure.baseEnd = other.first + other.count;
    measure.dim = static_cast<std::uint32_t>(sides_[0].set.dim);
    measure.scale = static_cast<double>(input_.frame.scale);
    return measure;
}

void Pass::measureRegion(const RegionJob& regionJob, const Report& report) {
    const auto lists = [&](const SetState& state, const DeviceRows& own, const DeviceRows& other, std::uint32_t begin,
                           std::uint32_t end) {
        MeasureJob measure = measureJob(state, own, other);
        measure.begin = begin;
        measure.end = end;
        measure.above = state.measureAbove;
        measure.longest = report.longest;
        device_.measureLists(measure);
    };
    const Region& region = regionJob.region;
    if (report.unmeasuredX > 0)
        lists(regionJob.x, regionJob.a, regionJob.b, region.xBegin, region.xEnd);
    if (report.unmeasuredY > 0)
        lists(regionJob.y, regionJob.b, regionJob.a, region.yBegin, region.yEnd);
}

void Pass::repeatOverflowed(BlockPairSearch& search, const RegionJob& regionJob, const Report& report,
                            const JobContext& job) {
    const Region& region = regionJob.region;
    const bool onDiagonal = regionJob.diagonal && region.xBegin == region.yBegin;
    // Lists of rows overflow from too many columns, and vice versa.
    const std::vector<Region> parts = splitRegion(region, onDiagonal, report.overflowY > 0, report.overflowX > 0);
    if (parts.size() < 2)
        throw Error(ErrorKind::DeviceFailed, device_.info().name + ": expected a tile to add at most " +
                                                 std::to_string(kTileEdge) + " rows to a list, found more");
    const Wanted again{true, false, static_cast<std::uint8_t>(regionJob.wanted.level + 1)};
    for (const Region& part : parts)
        searchRegion(search, part, again, job);
}

void Pass::measureResident(const Side& side, const Side& other, const JobContext& job) {
    if (side.state.k == 0)
        return;
    MeasureJob measure = measureJob(side.state, {side.place.rows, nullptr, 0, side.state.rows},
                                    {other.place.rows, nullptr, 0, other.state.rows});
    measure.longest = device_.longestList(side.state, memory_.report);
    for (measure.begin = 0; measure.begin < side.state.rows; measure.begin = measure.end) {
        measure.end = static_cast<std::uint32_t>(
            std::min<std::size_t>(side.state.rows, std::size_t{measure.begin} + plan_.blockRows));
        device_.measureLists(measure);
        device_.wait();
        job.throwIfStopped();
    }
}

void Pass::measureAll(std::span<const BlockPair> pairs, const JobContext& job) {
    if (plan_.resident()) {
        measureResident(sides_[0], sideY(), job);
        if (sides_.size() > 1)
            measureResident(sides_[1], sides_[0], job);
        return;
    }
    // Streamed blocks: all pairs are loaded again. Lists only become shorter.
    const std::uint32_t longestX = memory_.x.k > 0 ? device_.longestList(memory_.x, memory_.report) : 0;
    const std::uint32_t longestY = memory_.y.k > 0 ? device_.longestList(memory_.y, memory_.report) : 0;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        BlockPairSearch search = beginPair(pairs[p], nullptr, false);
        const RegionJob& at = search.job;
        const auto lists = [&](const SetState& state, const DeviceRows& own, const DeviceRows& other,
                               std::uint32_t longest) {
            MeasureJob measure = measureJob(state, own, other);
            measure.longest = longest;
            if (longest > 0)
                device_.measureLists(measure);
        };
        lists(at.x, at.a, at.b, longestX);
        if (!at.diagonal)
            lists(at.y, at.b, at.a, longestY);
        device_.releaseSlots(search.slotX, search.slotY);
        if (p + 1 < pairs.size())
            prefetch(pairs[p], pairs[p + 1]);
        device_.wait();
        job.throwIfStopped();
    }
}

PassOutput Pass::run(std::span<const BlockPair> pairs, const JobContext& job, const std::function<void()>& done) {
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        const BlockPair* next = p + 1 < pairs.size() ? &pairs[p + 1] : nullptr;
        BlockPairSearch search = beginPair(pairs[p], next, p == 0);
        lowerReaches(sides_[0], sideY(), pairs[p].x);
        lowerReaches(sideY(), sides_[0], pairs[p].y);
        Wanted wanted;
        wanted.balls = memory_.x.ballReach != nullptr || memory_.y.ballReach != nullptr;
        wanted.neighbors = memory_.x.k > 0 || memory_.y.k > 0;
        searchRegion(search, {0, search.job.a.count, 0, search.job.b.count}, wanted, job);
        device_.releaseSlots(search.slotX, search.slotY);
        done();
    }
    measureAll(pairs, job);
    PassOutput output{tableOf(memory_.x), {}, countersOf(memory_.x), {}};
    if (sides_.size() > 1) {
        output.yToX = tableOf(memory_.y);
        output.countersY = countersOf(memory_.y);
    }
    return output;
}

NeighborTable Pass::tableOf(const SetState& state) {
    NeighborTable table = noNeighbors(state.rows, state.k);
    if (state.k > 0) {
        device_.download(table.index.data(), state.index, table.index.size() * sizeof(std::uint32_t));
        device_.download(table.distance.data(), state.distance, table.distance.size() * sizeof(double));
    }
    return table;
}

std::vector<std::uint32_t> Pass::countersOf(const SetState& state) {
    std::vector<std::uint32_t> counters(state.counters == nullptr ? 0 : std::size_t{state.rows} * kCounters);
    if (!counters.empty())
        device_.download(counters.data(), state.counters, counters.size() * sizeof(std::uint32_t));
    return counters;
}

void Pass::setUp(Side& side, std::span<const double> radius, std::span<const double> inner, unsigned sampleSlot) {
    const SetState& state = side.state;
    const std::size_t rows = state.rows;
    if (state.k > 0) {
        device_.fill(state.reach, kFarByte, rows * sizeof(float));
        device_.fill(state.count, 0, rows * sizeof(std::uint32_t));
        device_.fill(state.before, 0, rows * sizeof(std::uint32_t));
        device_.fill(state.level, 0, rows);
        device_.fill(state.index, 0xFF, rows * state.k * sizeof(std::uint32_t));
        device_.fill(state.distance, kFarByte, rows * state.k * sizeof(double));
    }
    if (!radius.empty()) {
        device_.upload(state.radius, radius.data(), rows * sizeof(double));
        if (!inner.empty())
            device_.upload(state.innerRadius, inner.data(), rows * sizeof(double));
        device_.setBallBounds(state, static_cast<double>(input_.frame.scale));
    }
    if (state.counters != nullptr)
        device_.fill(state.counters, 0, rows * kCounters * sizeof(std::uint32_t));
    if (side.place.sample.count > 0)
        loadSample(side, sampleSlot);
}

/// @param rows of the set in device memory
PrepareJob Pass::prepareJob(const Side& side, const float* rows, std::uint32_t count) const {
    PrepareJob prepare;
    prepare.rows = rows;
    prepare.count = count;
    prepare.padded = static_cast<std::uint32_t>(wholeTiles(count));
    prepare.dim = static_cast<std::uint32_t>(side.set.dim);
    prepare.paddedDim = static_cast<std::uint32_t>(paddedColumns(side.set.dim));
    prepare.centre = memory_.centre;
    prepare.scale = static_cast<double>(input_.frame.scale);
    prepare.precision = input_.shape.precision;
    return prepare;
}

void Pass::loadSample(Side& side, unsigned slot) {
    const SampledRows& sample = side.place.sample;
    const std::vector<std::uint32_t> index = evenlySpacedRows(side.set.rows, sample.count);
    const std::vector<float> stored = gatherRows(side.set, index);
    device_.upload(sample.index, index.data(), index.size() * sizeof(std::uint32_t));
    PrepareJob prepare = prepareJob(side, side.place.sampleRows, sample.count);
    prepare.operand = sample.operand;
    prepare.terms = sample.terms;
    device_.load(slot, stored.data(), side.place.sampleRows, prepare);
}

std::byte* Pass::operandAt(const Side& side, std::size_t slot) const {
    return side.place.operand +
           slot * plan_.blockRows * paddedColumns(side.set.dim) * valueBytes(input_.shape.precision);
}

DeviceRows Pass::blockAt(const Side& side, std::uint32_t block) const {
    const std::size_t slot = side.slots.find(block).value_or(0);
    const std::size_t first = std::size_t{block} * plan_.blockRows;
    return {side.place.rows + slot * plan_.blockRows * side.set.dim, operandAt(side, slot),
            static_cast<std::uint32_t>(first),
            static_cast<std::uint32_t>(std::min<std::size_t>(plan_.blockRows, side.set.rows - first))};
}

std::uint32_t Pass::load(Side& side, std::uint32_t block, const std::vector<std::uint32_t>& keep) {
    if (const auto slot = side.slots.find(block)) {
        side.slots.use(*slot);
        return side.firstSlot + *slot;
    }
    const Slots::Place place = side.slots.assign(block, keep);
    const DeviceRows at = blockAt(side, block);
    PrepareJob prepare = prepareJob(side, at.rows, at.count);
    prepare.operand = operandAt(side, place.slot);
    if (place.first) { // bounds stay in device memory when the block is replaced
        const RowTermArrays& all = side.state.terms;
        prepare.terms = {all.step + at.first, all.term + at.first, all.slack + at.first, all.residual + at.first};
    }
    device_.load(side.firstSlot + place.slot, side.set.rowData(at.first),
                 side.place.rows + std::size_t{place.slot} * plan_.blockRows * side.set.dim, prepare);
    return side.firstSlot + place.slot;
}

void Pass::prefetch(const BlockPair& pair, const BlockPair& next) {
    const bool self = sides_.size() == 1;
    const std::vector<std::uint32_t> keepX =
        self ? std::vector<std::uint32_t>{pair.x, pair.y, next.x, next.y} : std::vector<std::uint32_t>{pair.x, next.x};
    const std::vector<std::uint32_t> keepY = self ? keepX : std::vector<std::uint32_t>{pair.y, next.y};
    load(sides_[0], next.x, keepX);
    load(sideY(), next.y, keepY);
}

} // namespace assay::cuda
