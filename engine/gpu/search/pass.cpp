#include "engine/gpu/search/pass.h"

#include "engine/gpu/device/bounds.h"

#include <algorithm>
#include <utility>

namespace assay::cuda {

Pass::Pass(Device& device, const PassPlan& plan, const PassInput& input)
    : device_(device), plan_(plan), input_(input), piece_(device, plan.bytes),
      memory_(PassMemory::carve(input.shape, plan, piece_.base())) {
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
    device_.useSlots(slots, slots + static_cast<unsigned>(sides_.size()) - 1);
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
        device_.upload(side.place.radius, radius.data(), rows * sizeof(double));
        if (!inner.empty())
            device_.upload(side.place.innerRadius, inner.data(), rows * sizeof(double));
        device_.setBalls(state, static_cast<double>(input_.frame.scale));
    }
    if (state.counters != nullptr)
        device_.fill(state.counters, 0, rows * kCounters * sizeof(std::uint32_t));
    if (side.place.samples > 0)
        loadSample(side, sampleSlot);
}

void Pass::loadSample(Side& side, unsigned slot) {
    const SetPlace& place = side.place;
    std::vector<float> stored;
    std::vector<std::uint32_t> index;
    stored.reserve(place.samples * side.set.dim);
    for (std::size_t s = 0; s < place.samples; ++s) {
        const std::size_t row = s * side.set.rows / place.samples;
        index.push_back(static_cast<std::uint32_t>(row));
        stored.insert(stored.end(), side.set.rowData(row), side.set.rowData(row) + side.set.dim);
    }
    device_.upload(place.sampleIndex, index.data(), index.size() * sizeof(std::uint32_t));
    PrepareJob prepare;
    prepare.rows = place.sampleRows;
    prepare.count = place.samples;
    prepare.padded = (place.samples + kTileEdge - 1) / kTileEdge * kTileEdge;
    prepare.dim = static_cast<std::uint32_t>(side.set.dim);
    prepare.paddedDim = static_cast<std::uint32_t>(paddedColumns(side.set.dim));
    prepare.centre = memory_.centre;
    prepare.scale = static_cast<double>(input_.frame.scale);
    prepare.rounded = place.sample;
    prepare.term = place.sampleTerm;
    prepare.slack = place.sampleSlack;
    prepare.residual = place.sampleResidual;
    device_.load(slot, stored.data(), place.sampleRows, prepare);
}

Block Pass::blockAt(const Side& side, std::uint32_t block) const {
    const std::size_t slot = side.slots.find(block).value_or(0);
    const std::size_t first = std::size_t{block} * plan_.blockRows;
    return {side.place.rows + slot * plan_.blockRows * side.set.dim,
            side.place.rounded + slot * plan_.blockRows * paddedColumns(side.set.dim),
            static_cast<std::uint32_t>(first),
            static_cast<std::uint32_t>(std::min<std::size_t>(plan_.blockRows, side.set.rows - first))};
}

/// @return the block's slot among those of all sides
std::uint32_t Pass::load(Side& side, std::uint32_t block, const std::vector<std::uint32_t>& keep) {
    if (const auto slot = side.slots.find(block)) {
        side.slots.use(*slot);
        return side.firstSlot + *slot;
    }
    const Slots::Place place = side.slots.assign(block, keep);
    const Block at = blockAt(side, block);
    PrepareJob prepare;
    prepare.rows = at.rows;
    prepare.count = at.count;
    prepare.padded = (at.count + kTileEdge - 1) / kTileEdge * kTileEdge;
    prepare.dim = static_cast<std::uint32_t>(side.set.dim);
    prepare.paddedDim = static_cast<std::uint32_t>(paddedColumns(side.set.dim));
    prepare.centre = memory_.centre;
    prepare.scale = static_cast<double>(input_.frame.scale);
    prepare.rounded = side.place.rounded + std::size_t{place.slot} * plan_.blockRows * prepare.paddedDim;
    if (place.first) { // what is known of the rows stays when their values go
        prepare.term = side.state.term + at.first;
        prepare.slack = side.state.slack + at.first;
        prepare.residual = side.state.residual + at.first;
    }
    device_.load(side.firstSlot + place.slot, side.set.rowData(at.first),
                 side.place.rows + std::size_t{place.slot} * plan_.blockRows * side.set.dim, prepare);
    return side.firstSlot + place.slot;
}

Pass::PieceSearch Pass::beginPiece(const Piece& piece, const Piece* next) {
    Side& x = sides_[0];
    Side& y = sideY();
    const bool self = sides_.size() == 1;
    const std::vector<std::uint32_t> keep{piece.x, piece.y};
    const std::uint32_t slotX = load(x, piece.x, self ? keep : std::vector<std::uint32_t>{piece.x});
    const std::uint32_t slotY = load(y, piece.y, self ? keep : std::vector<std::uint32_t>{piece.y});
    device_.useSlots(slotX, slotY);
    PieceSearch search{{}, piece, next};
    RegionJob& job = search.job;
    job.x = x.state;
    job.y = y.state;
    job.a = blockAt(x, piece.x);
    job.b = blockAt(y, piece.y);
    job.dim = static_cast<std::uint32_t>(x.set.dim);
    job.paddedDim = static_cast<std::uint32_t>(paddedColumns(x.set.dim));
    job.sameSet = self;
    job.diagonal = self && piece.x == piece.y;
    job.doubts = memory_.doubts;
    job.doubtCapacity = plan_.doubtCapacity;
    job.report = memory_.report;
    return search;
}

void Pass::prefetch(const Piece& piece, const Piece& next) {
    const bool self = sides_.size() == 1;
    const std::vector<std::uint32_t> keepX = self ? std::vector<std::uint32_t>{piece.x, piece.y, next.x, next.y}
                                                  : std::vector<std::uint32_t>{piece.x, next.x};
    const std::vector<std::uint32_t> keepY = self ? keepX : std::vector<std::uint32_t>{piece.y, next.y};
    load(sides_[0], next.x, keepX);
    load(sideY(), next.y, keepY);
}

void Pass::prime(Side& side, Side& other, std::uint32_t block) {
    const std::uint32_t samples = other.place.samples;
    if (side.state.k == 0 || side.primed[block] || samples < side.state.k)
        return;
    side.primed[block] = true;
    PrimeJob job;
    job.x = side.state;
    job.a = blockAt(side, block);
    job.sample = other.place.sample;
    job.sampleIndex = other.place.sampleIndex;
    job.sampleTerm = other.place.sampleTerm;
    job.sampleSlack = other.place.sampleSlack;
    job.sampleResidual = other.place.sampleResidual;
    job.sampleRows = samples;
    job.paddedDim = static_cast<std::uint32_t>(paddedColumns(side.set.dim));
    job.sameSet = &side == &other;
    job.bounds = memory_.bounds;
    for (job.begin = 0; job.begin < job.a.count; job.begin = job.end) {
        job.end = std::min(job.a.count, job.begin + plan_.primeRows);
        device_.prime(job);
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

void Pass::explore(PieceSearch& search, const Region& region, const Wanted& wanted, const JobContext& job) {
    job.throwIfStopped();
    RegionJob regionJob = search.job;
    regionJob.region = region;
    regionJob.wanted = wanted;
    if (wanted.balls)
        copyCounters(true);
    device_.startRegion(regionJob);
    if (search.next != nullptr)
        prefetch(search.piece, *std::exchange(search.next, nullptr));
    const Report report = device_.finishRegion(regionJob);
    if (wanted.neighbors)
        settleRegion(regionJob, report);
    if (wanted.balls)
        decideDoubts(search, regionJob, report, job);
    if (report.overflowX > 0 || report.overflowY > 0)
        repeatOverflowed(search, regionJob, report, job);
}

void Pass::decideDoubts(PieceSearch& search, const RegionJob& regionJob, const Report& report, const JobContext& job) {
    if (report.doubts <= plan_.doubtCapacity) {
        if (report.doubts > 0)
            device_.measureDoubts(regionJob, static_cast<std::uint32_t>(report.doubts));
        return;
    }
    copyCounters(false);
    const std::vector<Region> parts = splitRegion(regionJob.region, false, true, true);
    if (parts.size() < 2)
        throw Error(ErrorKind::DeviceFailed, device_.info().name + ": expected at most " +
                                                 std::to_string(plan_.doubtCapacity) +
                                                 " pairs in doubt in one tile, found " + std::to_string(report.doubts));
    for (const Region& part : parts)
        explore(search, part, {false, true, 0}, job);
}

void Pass::settleRegion(const RegionJob& regionJob, const Report& report) {
    SettleJob settle;
    settle.dim = regionJob.dim;
    settle.scale = static_cast<double>(input_.frame.scale);
    settle.longest = report.longest;
    const auto lists = [&](const SetState& state, const Block& own, const Block& other, std::uint32_t begin,
                           std::uint32_t end) {
        settle.x = state;
        settle.a = own;
        settle.begin = begin;
        settle.end = end;
        settle.base = other.rows;
        settle.baseFirst = other.first;
        settle.baseEnd = other.first + other.count;
        settle.above = state.settleAbove;
        device_.settle(settle);
    };
    const Region& region = regionJob.region;
    if (report.unsettledX > 0)
        lists(regionJob.x, regionJob.a, regionJob.b, region.xBegin, region.xEnd);
    if (report.unsettledY > 0)
        lists(regionJob.y, regionJob.b, regionJob.a, region.yBegin, region.yEnd);
}

void Pass::repeatOverflowed(PieceSearch& search, const RegionJob& regionJob, const Report& report,
                            const JobContext& job) {
    const Region& region = regionJob.region;
    const bool onDiagonal = regionJob.diagonal && region.xBegin == region.yBegin;
    // Too many columns fill the lists of rows, and the other way round.
    const std::vector<Region> parts = splitRegion(region, onDiagonal, report.overflowY > 0, report.overflowX > 0);
    if (parts.size() < 2)
        throw Error(ErrorKind::DeviceFailed, device_.info().name + ": expected a tile to propose at most " +
                                                 std::to_string(kTileEdge) + " rows to a list, found more");
    const Wanted again{true, false, static_cast<std::uint8_t>(regionJob.wanted.level + 1)};
    for (const Region& part : parts)
        explore(search, part, again, job);
}

void Pass::settleResident(const Side& side, const Side& other, const JobContext& job) {
    if (side.state.k == 0)
        return;
    SettleJob settle;
    settle.x = side.state;
    settle.a = {side.place.rows, nullptr, 0, side.state.rows};
    settle.base = other.place.rows;
    settle.baseEnd = other.state.rows;
    settle.longest = device_.longestList(side.state, memory_.report);
    settle.dim = static_cast<std::uint32_t>(side.set.dim);
    settle.scale = static_cast<double>(input_.frame.scale);
    for (settle.begin = 0; settle.begin < side.state.rows; settle.begin = settle.end) {
        settle.end = static_cast<std::uint32_t>(
            std::min<std::size_t>(side.state.rows, std::size_t{settle.begin} + plan_.blockRows));
        device_.settle(settle);
        device_.wait();
        job.throwIfStopped();
    }
}

void Pass::settleAll(std::span<const Piece> pieces, const JobContext& job) {
    if (plan_.resident()) {
        settleResident(sides_[0], sideY(), job);
        if (sides_.size() > 1)
            settleResident(sides_[1], sides_[0], job);
        return;
    }
    // Blocks that come and go: the same pieces once more. Lists only become shorter.
    const std::uint32_t longestX = memory_.x.k > 0 ? device_.longestList(memory_.x, memory_.report) : 0;
    const std::uint32_t longestY = memory_.y.k > 0 ? device_.longestList(memory_.y, memory_.report) : 0;
    for (std::size_t p = 0; p < pieces.size(); ++p) {
        PieceSearch search = beginPiece(pieces[p], nullptr);
        const RegionJob& at = search.job;
        SettleJob settle;
        settle.dim = at.dim;
        settle.scale = static_cast<double>(input_.frame.scale);
        const auto lists = [&](const SetState& state, const Block& own, const Block& other, std::uint32_t longest) {
            if (longest == 0)
                return;
            settle.x = state;
            settle.a = own;
            settle.end = own.count;
            settle.base = other.rows;
            settle.baseFirst = other.first;
            settle.baseEnd = other.first + other.count;
            settle.longest = longest;
            device_.settle(settle);
        };
        lists(at.x, at.a, at.b, longestX);
        if (!at.diagonal)
            lists(at.y, at.b, at.a, longestY);
        device_.doneWithSlots(sides_[0].firstSlot + *sides_[0].slots.find(pieces[p].x),
                              sideY().firstSlot + *sideY().slots.find(pieces[p].y));
        if (p + 1 < pieces.size())
            prefetch(pieces[p], pieces[p + 1]);
        device_.wait();
        job.throwIfStopped();
    }
}

PassOutput Pass::run(std::span<const Piece> pieces, const JobContext& job, const std::function<void()>& done) {
    for (std::size_t p = 0; p < pieces.size(); ++p) {
        const Piece* next = p + 1 < pieces.size() ? &pieces[p + 1] : nullptr;
        PieceSearch search = beginPiece(pieces[p], next);
        prime(sides_[0], sideY(), pieces[p].x);
        prime(sideY(), sides_[0], pieces[p].y);
        Wanted wanted;
        wanted.balls = memory_.x.ballReach != nullptr || memory_.y.ballReach != nullptr;
        wanted.neighbors = memory_.x.k > 0 || memory_.y.k > 0;
        explore(search, {0, search.job.a.count, 0, search.job.b.count}, wanted, job);
        device_.doneWithSlots(sides_[0].firstSlot + *sides_[0].slots.find(pieces[p].x),
                              sideY().firstSlot + *sideY().slots.find(pieces[p].y));
        done();
    }
    settleAll(pieces, job);
    PassOutput output{tableOf(memory_.x), {}, countersOf(memory_.x), {}};
    if (sides_.size() > 1) {
        output.yToX = tableOf(memory_.y);
        output.countersY = countersOf(memory_.y);
    }
    return output;
}

NeighborTable Pass::tableOf(const SetState& state) {
    NeighborTable table;
    table.k = state.k;
    table.index.resize(std::size_t{state.rows} * state.k);
    table.distance.resize(table.index.size());
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

} // namespace assay::cuda
