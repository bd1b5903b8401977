#include "tests/cuda/support/emulated_device.h"

#include "engine/gpu/device/bounds.h"
#include "engine/gpu/device/decide.h"
#include "engine/gpu/device/measure.h"
#include "engine/gpu/device/region_tiles.h"
#include "tests/cuda/support/lane_sum.h"
#include "tests/cuda/support/prepared_row.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace assay::cuda::test {
namespace {

constexpr int kPoison = 0xA5;
constexpr std::size_t kAlignment = 256;

[[noreturn]] void misuse(const std::string& what) {
    throw std::logic_error("emulated device: " + what);
}

struct SerialMemory {
    std::uint32_t increment(std::uint32_t* value) { return (*value)++; }
    unsigned long long increment(unsigned long long* value) { return (*value)++; }
};

/// Adds the lanes of a warp in the order of its shuffles. @param lane changed
double lanesSum(double (&lane)[kLanes]) {
    for (unsigned half = kLanes / 2; half > 0; half /= 2)
        for (unsigned l = 0; l < half; ++l)
            lane[l] = plus(lane[l], lane[l + half]);
    return lane[0];
}

double distanceOf(const float* x, const float* y, std::size_t dim) {
    double lane[kLanes];
    for (unsigned l = 0; l < kLanes; ++l)
        lane[l] = laneSum(x, y, dim, l);
    return squareRoot(lanesSum(lane));
}

} // namespace

EmulatedDevice::EmulatedDevice(const EmulatedOptions& options)
    : options_(options), info_{"emulated device", options.memory} {}

EmulatedDevice::~EmulatedDevice() = default;

std::byte* EmulatedDevice::allocate(std::size_t bytes) {
    if (bytes > options_.largestAllocation || used_ + bytes > options_.memory)
        throw OutOfDeviceMemory("emulated device: out of memory");
    std::vector<std::byte> piece(bytes + kAlignment, static_cast<std::byte>(kPoison));
    const auto address = reinterpret_cast<std::uintptr_t>(piece.data());
    std::byte* aligned = piece.data() + (kAlignment - address % kAlignment) % kAlignment;
    pieces_.emplace(aligned, std::move(piece));
    used_ += bytes;
    largestUse = std::max(largestUse, used_);
    return aligned;
}

void EmulatedDevice::release(std::byte* memory) noexcept {
    const auto found = pieces_.find(memory);
    if (found == pieces_.end())
        return;
    used_ -= found->second.size() - kAlignment;
    pieces_.erase(found);
    pending_.clear();
    inUse_.clear();
}

void EmulatedDevice::requireInside(const void* memory, std::size_t bytes) const {
    const auto* begin = static_cast<const std::byte*>(memory);
    for (const auto& [first, piece] : pieces_)
        if (begin >= first && begin + bytes <= first + (piece.size() - kAlignment))
            return;
    misuse("memory that is not the device's");
}

void EmulatedDevice::fill(void* to, int byte, std::size_t bytes) {
    requireInside(to, bytes);
    std::memset(to, byte, bytes);
}
void EmulatedDevice::copy(void* to, const void* from, std::size_t bytes) {
    requireInside(to, bytes);
    requireInside(from, bytes);
    std::memcpy(to, from, bytes);
}
void EmulatedDevice::upload(void* to, const void* from, std::size_t bytes) {
    requireInside(to, bytes);
    std::memcpy(to, from, bytes);
}
void EmulatedDevice::download(void* to, const void* from, std::size_t bytes) {
    requireInside(from, bytes);
    std::memcpy(to, from, bytes);
}

void EmulatedDevice::loadValues(unsigned slot, const float* stored, float* to, std::size_t count) {
    if (inUse_.contains(slot))
        misuse("a block is loaded into a slot that is in use");
    requireInside(to, count * sizeof(float));
    // It arrives at some time until it is waited for: at the latest possible here.
    std::memset(to, kPoison, count * sizeof(float));
    pending_[slot] = {{stored, stored + count}, to, {}};
    ++loads;
}

void EmulatedDevice::load(unsigned slot, const float* stored, float* rows, const PrepareJob& job) {
    loadValues(slot, stored, rows, std::size_t{job.count} * job.dim);
    const std::size_t bytes = std::size_t{job.padded} * job.paddedDim * valueBytes(job.precision);
    requireInside(job.operand, bytes);
    std::memset(job.operand, kPoison, bytes);
    pending_[slot].prepare = job;
}

void EmulatedDevice::runLoad(unsigned slot) {
    const auto found = pending_.find(slot);
    if (found == pending_.end())
        return;
    const Pending& load = found->second;
    std::copy(load.stored.begin(), load.stored.end(), load.rows);
    if (load.prepare)
        prepare(*load.prepare);
    pending_.erase(found);
}

void EmulatedDevice::prepare(const PrepareJob& job) {
    const std::size_t rowBytes = job.paddedDim * valueBytes(job.precision);
    std::memset(job.operand, 0, job.padded * rowBytes);
    const Frame frame{{job.centre, job.centre + job.dim}, static_cast<float>(job.scale)};
    for (std::size_t r = 0; r < job.count; ++r) {
        const PreparedRow row = PreparedRow::of({job.rows + r * job.dim, job.dim}, frame, job.precision);
        std::memcpy(job.operand + r * rowBytes, row.operand.data(), rowBytes);
        if (job.terms.step == nullptr)
            continue;
        job.terms.step[r] = row.step;
        job.terms.term[r] = row.terms.term;
        job.terms.slack[r] = row.terms.slack;
        job.terms.residual[r] = row.residual;
    }
}

void EmulatedDevice::waitForSlots(unsigned x, unsigned y) {
    for (const unsigned slot : {x, y}) {
        runLoad(slot);
        inUse_.insert(slot);
    }
}

void EmulatedDevice::releaseSlots(unsigned x, unsigned y) {
    for (const unsigned slot : {x, y})
        if (inUse_.erase(slot) == 0 && x != y)
            misuse("a slot is given back that was not in use");
}

void EmulatedDevice::setBallBounds(const SetState& set, double scale) {
    for (std::size_t row = 0; row < set.rows; ++row) {
        set.ballReach[row] = reachOfDistance(set.radius[row], scale);
        set.ballSure[row] = sureReach(set.innerRadius != nullptr ? set.innerRadius[row] : set.radius[row], scale);
    }
}

float EmulatedDevice::product(const std::byte* x, const std::byte* y, std::size_t columns, Precision precision) {
    const float found = operandProduct(x, y, columns, precision);
    if (options_.productError == 0.0 || precision == Precision::Integer)
        return found;
    const auto* a = reinterpret_cast<const float*>(x);
    const auto* b = reinterpret_cast<const float*>(y);
    double normX = 0.0;
    double normY = 0.0;
    double exact = 0.0;
    for (std::size_t c = 0; c < columns; ++c) {
        exact += static_cast<double>(a[c]) * static_cast<double>(b[c]);
        normX += static_cast<double>(a[c]) * static_cast<double>(a[c]);
        normY += static_cast<double>(b[c]) * static_cast<double>(b[c]);
    }
    const double allowed = estimateError(precision, columns) - estimateError(Precision::Integer, columns);
    std::uniform_real_distribution<double> any(-options_.productError, options_.productError);
    return static_cast<float>(exact + 0.999 * any(random_) * allowed * std::sqrt(normX * normY));
}

void EmulatedDevice::lowerReaches(const ReachJob& job) {
    const std::size_t pitch = wholeTiles(job.sample.count);
    const std::size_t rowBytes = job.paddedDim * valueBytes(job.precision);
    for (std::uint32_t r = job.begin; r < job.end; ++r) {
        const std::uint32_t row = job.a.first + r;
        std::vector<float> reaches;
        float* bounds = static_cast<float*>(job.bounds) + (r - job.begin) * pitch;
        for (std::uint32_t s = 0; s < job.sample.count; ++s) {
            bounds[s] = infinity();
            if (job.sameSet && job.sample.index[s] == row)
                continue;
            const float p =
                product(job.a.operand + r * rowBytes, job.sample.operand + s * rowBytes, job.paddedDim, job.precision);
            const float estimate = estimateOf(p, job.x.terms.estimate(row), job.sample.terms.estimate(s));
            reaches.push_back(reachOf(estimate, job.x.terms.slack[row], job.sample.terms.slack[s],
                                      job.x.terms.residual[row], job.sample.terms.residual[s]));
            bounds[s] = reaches.back();
        }
        if (reaches.size() < job.x.k)
            continue;
        std::nth_element(reaches.begin(), reaches.begin() + (job.x.k - 1), reaches.end());
        job.x.reach[row] = std::min(job.x.reach[row], reaches[job.x.k - 1]);
    }
}

void EmulatedDevice::startRegion(const RegionJob& job) {
    ++regions;
    repeated += job.wanted.level > 0 ? 1 : 0;
    ballParts += !job.wanted.neighbors && (job.x.k > 0 || job.y.k > 0) ? 1 : 0;
    *job.report = Report{};
    const Region& region = job.region;
    if (region.xBegin % kTileEdge != 0 || region.yBegin % kTileEdge != 0 || region.xEnd > job.a.count ||
        region.yEnd > job.b.count)
        misuse("a region outside its blocks");
    std::vector<Region> tiles = tilesOf(region, job.diagonal, job.productValues);
    if (options_.backwards)
        std::reverse(tiles.begin(), tiles.end());
    for (const Region& tile : tiles)
        decideTile(job, tile);
}

void EmulatedDevice::decideTile(const RegionJob& job, const Region& tile) {
    if (wholeTiles(tile.xEnd - tile.xBegin) * wholeTiles(tile.yEnd - tile.yBegin) > job.productValues)
        misuse("a tile of more products than fit");
    const std::size_t rowBytes = job.paddedDim * valueBytes(job.precision);
    SerialMemory memory;
    for (std::uint32_t i = tile.xBegin; i < tile.xEnd; ++i)
        for (std::uint32_t j = tile.yBegin; j < tile.yEnd; ++j) {
            const std::uint32_t r = options_.backwards ? tile.xEnd - 1 - (i - tile.xBegin) : i;
            const std::uint32_t c = options_.backwards ? tile.yEnd - 1 - (j - tile.yBegin) : j;
            const std::uint32_t x = job.a.first + r;
            const std::uint32_t y = job.b.first + c;
            if (widestReach(job.x, job.wanted, x) < 0.0F && widestReach(job.y, job.wanted, y) < 0.0F)
                continue;
            const float p =
                product(job.a.operand + r * rowBytes, job.b.operand + c * rowBytes, job.paddedDim, job.precision);
            decidePair(job, x, y, estimateOf(p, job.x.terms.estimate(x), job.y.terms.estimate(y)), memory);
        }
}

void EmulatedDevice::prune(const PruneJob& job) {
    const SetState& set = job.set;
    for (std::uint32_t row = job.first; row < job.first + job.count; ++row) {
        if (!takesPart(set, job.wanted, row))
            continue;
        Candidate* list = set.list + std::size_t{row} * set.capacity;
        const bool tooShort = set.count[row] > set.capacity;
        std::uint32_t count = std::min(set.count[row], set.capacity);
        candidates += set.count[row] - set.before[row];
        std::vector<float> reaches;
        for (std::uint32_t c = 0; c < count; ++c)
            reaches.push_back(reachOf(list[c].estimate, set.terms.slack[row], job.other.terms.slack[list[c].index],
                                      set.terms.residual[row], job.other.terms.residual[list[c].index]));
        if (count >= set.k) {
            std::nth_element(reaches.begin(), reaches.begin() + (set.k - 1), reaches.end());
            set.reach[row] = std::min(set.reach[row], reaches[set.k - 1]);
        }
        if (tooShort)
            count = set.before[row];
        const Candidate* last = std::remove_if(list, list + count, [&](const Candidate& one) {
            return !mayBeWithin(one.estimate, set.reach[row], set.terms.residual[row],
                                job.other.terms.residual[one.index]);
        });
        const auto kept = static_cast<std::uint32_t>(last - list);
        set.level[row] = static_cast<std::uint8_t>(job.wanted.level + (tooShort ? 1 : 0));
        set.count[row] = kept;
        set.before[row] = kept;
        *job.overflow += tooShort ? 1 : 0;
        *job.unmeasured += kept > set.measureAbove ? 1 : 0;
        *job.longest = std::max(*job.longest, kept);
    }
}

Report EmulatedDevice::finishRegion(const RegionJob& job) {
    if (!pending_.empty() && inUse_.empty())
        misuse("a region without blocks");
    Report& report = *job.report;
    const Region& region = job.region;
    prune({.set = job.x,
           .other = job.y,
           .first = job.a.first + region.xBegin,
           .count = region.xEnd - region.xBegin,
           .wanted = job.wanted,
           .overflow = &report.overflowX,
           .unmeasured = &report.unmeasuredX,
           .longest = &report.longest});
    if (!(job.diagonal && region.xBegin == region.yBegin))
        prune({.set = job.y,
               .other = job.x,
               .first = job.b.first + region.yBegin,
               .count = region.yEnd - region.yBegin,
               .wanted = job.wanted,
               .overflow = &report.overflowY,
               .unmeasured = &report.unmeasuredY,
               .longest = &report.longest});
    return report;
}

std::uint32_t EmulatedDevice::longestList(const SetState& set, Report* /*report*/) {
    return *std::max_element(set.count, set.count + set.rows);
}

void EmulatedDevice::measureLists(const MeasureJob& job) {
    struct Measured {
        double distance;
        std::uint32_t index;
    };
    const SetState& set = job.x;
    for (std::uint32_t row = job.a.first + job.begin; row < job.a.first + job.end; ++row) {
        if (set.count[row] <= job.above)
            continue;
        if (set.count[row] > job.longest)
            misuse("a list longer than the longest");
        Candidate* list = set.list + std::size_t{row} * set.capacity;
        const std::size_t first = std::size_t{row} * set.k;
        std::vector<Measured> all;
        for (std::size_t n = first; n < first + set.k; ++n)
            all.push_back({set.distance[n], set.index[n]});
        const float* own = job.a.rows + std::size_t{row - job.a.first} * job.dim;
        std::uint32_t kept = 0;
        for (std::uint32_t c = 0; c < set.count[row]; ++c) {
            const std::uint32_t index = list[c].index;
            if (index >= job.baseFirst && index < job.baseEnd)
                all.push_back(
                    {distanceOf(own, job.base + std::size_t{index - job.baseFirst} * job.dim, job.dim), index});
            else
                list[kept++] = list[c];
        }
        std::sort(all.begin(), all.end(), [](const Measured& a, const Measured& b) {
            return standsBefore(a.distance, a.index, b.distance, b.index);
        });
        for (std::size_t n = 0; n < set.k; ++n) {
            set.distance[first + n] = all[n].distance;
            set.index[first + n] = all[n].index;
        }
        set.count[row] = kept;
        set.before[row] = kept;
        if (set.index[first + set.k - 1] != kNoNeighbor)
            set.reach[row] = std::min(set.reach[row], reachOfDistance(set.distance[first + set.k - 1], job.scale));
    }
}

void EmulatedDevice::measureUndecided(const RegionJob& job, std::uint32_t count) {
    if (count > job.undecidedCapacity)
        misuse("more undecided pairs than fit");
    SerialMemory memory;
    for (std::uint32_t d = 0; d < count; ++d) {
        const std::uint32_t x = job.undecided[d].x & ~kUndecidedBall;
        const std::uint32_t y = job.undecided[d].y & ~kUndecidedBall;
        const double distance = distanceOf(job.a.rows + std::size_t{x - job.a.first} * job.dim,
                                           job.b.rows + std::size_t{y - job.b.first} * job.dim, job.dim);
        if ((job.undecided[d].x & kUndecidedBall) != 0)
            countMeasured(job.x, job.y, {x, y, distance}, memory);
        if ((job.undecided[d].y & kUndecidedBall) != 0)
            countMeasured(job.y, job.x, {y, x, distance}, memory);
    }
}

template <typename Memory>
static void listIfAdmitted(const PairJob& job, std::uint32_t row, std::uint32_t column, Memory& memory) {
    const float product =
        operandProduct(job.x + std::size_t{row} * job.paddedDim, job.y + std::size_t{column} * job.paddedDim,
                       job.paddedDim, Precision::Integer);
    const float estimate =
        estimateOf(product, {job.stepX[row], job.termX[row]}, {job.stepY[column], job.termY[column]});
    if (job.limit[row].admits(estimate, job.bounds[column]))
        listPair(job, {row, column, estimate}, memory);
}

void EmulatedDevice::listPairs(const PairJob& job) {
    *job.count = 0;
    SerialMemory memory;
    for (const Region& tile : tilesOf(job.region, false, job.productValues))
        for (std::uint32_t row = tile.xBegin; row < tile.xEnd; ++row)
            for (std::uint32_t column = tile.yBegin; column < tile.yEnd; ++column)
                listIfAdmitted(job, row, column, memory);
}

} // namespace assay::cuda::test
