#include "engine/gpu/search/device_search.h"

#include "engine/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay::cuda {
namespace {

/// Factor of the budget after an allocation within it failed.
constexpr double kLessMemory = 0.7;

/// The nearest of two tables. One is empty where a device had no work.
NeighborTable nearest(NeighborTable a, NeighborTable b) {
    if (a.index.empty() || b.index.empty())
        return std::move(a.index.empty() ? b : a);
    return nearestOf(a, b);
}

/// Merges the outputs of the devices of a pass, at least one: the nearest of all tables, the sums of all counters.
PassOutput merged(std::vector<PassOutput> parts) {
    PassOutput all = std::move(parts.front());
    for (std::size_t p = 1; p < parts.size(); ++p) {
        all.xToY = nearest(std::move(all.xToY), std::move(parts[p].xToY));
        all.yToX = nearest(std::move(all.yToX), std::move(parts[p].yToX));
        addCounts(all.countersX, parts[p].countersX);
        addCounts(all.countersY, parts[p].countersY);
    }
    return all;
}

/// One counter of a set.
std::vector<std::uint32_t> counter(const std::vector<std::uint32_t>& all, Counter which, bool wanted) {
    if (!wanted)
        return {};
    const std::size_t rows = all.size() / kCounters;
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(rows * static_cast<std::size_t>(which));
    return {first, first + static_cast<std::ptrdiff_t>(rows)};
}

std::vector<std::unique_ptr<Device>> atLeastOne(std::vector<std::unique_ptr<Device>> devices) {
    if (devices.empty())
        throw Error(ErrorKind::DeviceFailed, "CUDA: expected a device, found none");
    return devices;
}

} // namespace

std::string deviceText(const DeviceInfo& info) {
    const auto gibibytes = std::lround(static_cast<double>(info.totalBytes) / 0x1p30);
    return info.name + " (" + std::to_string(gibibytes) + " GiB)";
}

DeviceSearch::DeviceSearch(std::vector<std::unique_ptr<Device>> devices, unsigned threads, MakeSearch fallback,
                           std::uint32_t mostBlockRows, Products products)
    : devices_(atLeastOne(std::move(devices))), threads_(threads), fallback_(std::move(fallback)),
      mostBlockRows_(mostBlockRows), products_(products) {}

std::string DeviceSearch::hardware() const {
    std::string text = deviceText(devices_.front()->info());
    if (devices_.size() > 1)
        text = std::to_string(devices_.size()) + " x " + text;
    return usedCpu_ ? text + ", in part the CPU: too little memory on the card" : text;
}

PassOutput DeviceSearch::runWith(const PassPlan& plan, const PassInput& input, const JobContext& job) const {
    const std::vector<BlockPair> pairs = blockPairsOf(plan);
    const std::vector<std::vector<BlockPair>> shares = sharesOf(pairs, devices_.size());
    std::vector<PassOutput> outputs(devices_.size());
    std::atomic<std::size_t> finished = 0;
    // One thread per device; the caller's own thread reports the progress of all.
    const auto threads = static_cast<unsigned>(devices_.size());
    parallelFor(devices_.size(), threads, job.part({}, 0.0, 0.0), [&](std::size_t d, unsigned worker) {
        if (shares[d].empty())
            return;
        Pass pass(*devices_[d], plan, input);
        outputs[d] = pass.run(shares[d], job, [&] {
            const std::size_t now = ++finished;
            if (worker == 0)
                job.checkpoint(static_cast<double>(now) / static_cast<double>(pairs.size() + 1));
        });
    });
    job.checkpoint(1.0);
    return merged(std::move(outputs));
}

std::uint32_t DeviceSearch::blockLimit(const PassShape& shape) const {
    // Several devices need several blocks each to share the work evenly.
    constexpr std::size_t kFewest = 1024;
    const std::size_t largest = std::max(shape.rowsX, shape.rowsY);
    if (mostBlockRows_ > 0 || devices_.size() == 1)
        return mostBlockRows_;
    return static_cast<std::uint32_t>(std::max(kFewest, largest / (2 * devices_.size())));
}

std::optional<PassOutput> DeviceSearch::runPass(const PassInput& input, const JobContext& job) const {
    const std::scoped_lock lock(inUse_);
    PassInput asIntegers = input;
    asIntegers.shape.precision = Precision::Integer;
    if (products_ == Products::IntegersFirst && fitsKernels(asIntegers.shape))
        try {
            return runWithin(asIntegers, job);
        } catch (const IntegersTooCoarse&) {
        }
    PassInput asFloats = input;
    asFloats.shape.precision = Precision::Single;
    return fitsKernels(asFloats.shape) ? runWithin(asFloats, job) : std::nullopt;
}

std::optional<PassOutput> DeviceSearch::runWithin(const PassInput& input, const JobContext& job) const {
    std::size_t budget = ~std::size_t{0};
    for (const auto& device : devices_)
        budget = std::min(budget, static_cast<std::size_t>(static_cast<double>(device->freeBytes()) * kShareOfFree));
    while (const std::optional<PassPlan> plan = planPass(input.shape, budget, blockLimit(input.shape))) {
        try {
            return runWith(*plan, input, job);
        } catch (const OutOfDeviceMemory&) {
            budget = static_cast<std::size_t>(static_cast<double>(std::min(budget, plan->bytes)) * kLessMemory);
        }
    }
    return std::nullopt;
}

std::unique_ptr<NeighborSearch> DeviceSearch::searchOnCpu() const {
    usedCpu_ = true;
    return fallback_(threads_);
}

NeighborTable DeviceSearch::within(MatrixView set, std::size_t k, const JobContext& job) const {
    requireNeighbors(set.rows, k);
    const Frame frame = Frame::of(set, {set}, threads_, job.part({}, 0.0, 0.03));
    const PassInput input{set, {}, {set.rows, 0, set.dim, k, 0}, frame, {}, {}, {}};
    if (auto output = runPass(input, job.part(std::string(kOnTheCard), 0.03, 1.0)))
        return std::move(output->xToY);
    return searchOnCpu()->within(set, k, job.part(std::string(kLeftToTheCpu), 0.03, 1.0));
}

PassResult DeviceSearch::between(const SideQuery& a, const SideQuery& b, const JobContext& job) const {
    requireSides(a, b);
    const bool ballsA = !a.radius.empty();
    const bool innerBallsA = ballsA && !a.innerRadius.empty();
    const bool ballsB = !b.radius.empty();
    // No pairs: the fallback returns an empty result at no cost. Kernels know inner balls of the first set alone.
    if (a.rows.rows == 0 || b.rows.rows == 0 || !b.innerRadius.empty())
        return fallback_(threads_)->between(a, b, job);
    const Frame frame = Frame::of(a.rows, {a.rows, b.rows}, threads_, job.part({}, 0.0, 0.03));
    const PassShape shape{a.rows.rows, b.rows.rows, a.rows.dim, a.k, b.k, ballsA, innerBallsA, ballsB};
    const PassInput input{a.rows, b.rows, shape, frame, a.radius, a.innerRadius, b.radius};
    auto output = runPass(input, job.part(std::string(kOnTheCard), 0.03, 1.0));
    if (!output)
        return searchOnCpu()->between(a, b, job.part(std::string(kLeftToTheCpu), 0.03, 1.0));
    return {.a = {.nearest = std::move(output->xToY),
                  .inside = counter(output->countersX, Counter::Inside, ballsA),
                  .insideInner = counter(output->countersX, Counter::InsideInner, innerBallsA),
                  .holding = counter(output->countersX, Counter::Held, ballsB),
                  .innerHolding = {}},
            .b = {.nearest = std::move(output->yToX),
                  .inside = counter(output->countersY, Counter::Inside, ballsB),
                  .insideInner = {},
                  .holding = counter(output->countersY, Counter::Held, ballsA),
                  .innerHolding = counter(output->countersY, Counter::HeldInner, innerBallsA)}};
}

} // namespace assay::cuda
