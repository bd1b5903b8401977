// The whole search with the kernels' decisions run one after the other on the host: the exactness contract without a
// device, and what happens when lists overflow, memory runs out or several devices share the work.
#include "engine/gpu/search/device_search.h"
#include "engine/neighbors/backends/kdtree_search.h"
#include "tests/cuda/support/check.h"
#include "tests/cuda/support/contract.h"
#include "tests/cuda/support/emulated_device.h"
#include "tests/support/test_size.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <vector>

using namespace assay;
using namespace assay::cuda;
using namespace assay::cuda::test;
using assay::test::sized;

namespace {

struct Bench {
    std::unique_ptr<DeviceSearch> search;
    std::vector<EmulatedDevice*> devices;
};

Bench benchOf(std::size_t devices, const EmulatedOptions& options, bool* usedCpu = nullptr,
              std::uint32_t mostBlockRows = 0,
              DeviceSearch::Products products = DeviceSearch::Products::IntegersFirst) {
    std::vector<std::unique_ptr<Device>> made;
    Bench bench;
    for (std::size_t d = 0; d < devices; ++d) {
        auto device = std::make_unique<EmulatedDevice>(options);
        bench.devices.push_back(device.get());
        made.push_back(std::move(device));
    }
    bench.search = std::make_unique<DeviceSearch>(
        std::move(made), 1,
        [usedCpu](unsigned threads) {
            if (usedCpu != nullptr)
                *usedCpu = true;
            return std::make_unique<KdTreeSearch>(threads);
        },
        mostBlockRows, products);
    return bench;
}

MakeContractSearch makerOf(std::size_t devices, const EmulatedOptions& options = {}, std::uint32_t mostBlockRows = 0) {
    return [=]() -> std::unique_ptr<NeighborSearch> {
        return std::move(benchOf(devices, options, nullptr, mostBlockRows).search);
    };
}

MakeContractSearch makerOfFloats(const EmulatedOptions& options) {
    return [=]() -> std::unique_ptr<NeighborSearch> {
        return std::move(benchOf(1, options, nullptr, 0, DeviceSearch::Products::Floats).search);
    };
}

/// Memory for blocks of 1024 rows at most, and the shortest lists.
std::size_t leastMemory(const PassShape& shape) {
    std::size_t bytes = std::size_t{1} << 10;
    while (!planPass(shape, bytes))
        bytes += bytes / 8;
    return bytes;
}

void streamsWhatDoesNotFit() {
    const Matrix a = gaussian(5000, 12, 1);
    const Matrix b = gaussian(3300, 12, 2);
    EmulatedOptions options;
    const std::size_t least = leastMemory({a.rows, b.rows, a.dim, 6, 6, true, false, false});
    options.memory = static_cast<std::size_t>(static_cast<double>(least) / 0.92) + 4096;
    const Bench bench = benchOf(1, options);
    const std::vector<double> radius(a.rows, 3.0);
    const assay::test::Sides query{{a.view(), 6, radius}, {b.view(), 6}};
    CHECK(bench.search->between(query.a, query.b, {}) == KdTreeSearch(1).between(query.a, query.b, {}));
    CHECK(bench.devices[0]->largestUse <= options.memory);
    CHECK(bench.devices[0]->loads > 12); // 5 and 4 blocks, some of them again

    const PassShape within{a.rows, 0, a.dim, 6};
    options.memory = static_cast<std::size_t>(static_cast<double>(leastMemory(within)) / 0.92) + 4096;
    const Bench self = benchOf(1, options);
    CHECK(self.search->within(a.view(), 6, {}) == KdTreeSearch(1).within(a.view(), 6, {}));
    CHECK(self.devices[0]->loads > 6);
    CHECK(self.devices[0]->largestUse <= options.memory);
}

void takesLessMemoryThenTheCpu() {
    const Matrix a = gaussian(1500, 10, 3);
    const NeighborTable expected = KdTreeSearch(1).within(a.view(), 5, {});
    EmulatedOptions options;
    options.largestAllocation = leastMemory({a.rows, 0, a.dim, 5}) * 3 / 2;
    bool usedCpu = false;
    const Bench tight = benchOf(1, options, &usedCpu);
    CHECK(tight.search->within(a.view(), 5, {}) == expected);
    CHECK(!usedCpu);
    options.largestAllocation = 1000;
    const Bench none = benchOf(1, options, &usedCpu);
    CHECK(none.search->hardware() == "emulated device (1 GiB)");
    CHECK(none.search->within(a.view(), 5, {}) == expected);
    CHECK(usedCpu);
    CHECK(none.search->hardware().find("CPU") != std::string::npos);
}

void leavesManyNeighborsToTheCpu() {
    const Matrix a = gaussian(1200, 3, 4);
    bool usedCpu = false;
    const Bench bench = benchOf(1, {}, &usedCpu);
    CHECK(bench.search->within(a.view(), 1100, {}) == KdTreeSearch(1).within(a.view(), 1100, {}));
    CHECK(usedCpu);
}

/// Lists that cannot hold a region's candidates: every distance equal, so that no reach excludes a pair.
void repeatsOverflowedRegions() {
    EmulatedOptions options;
    options.backwards = true;
    const Matrix equal = repeated(gaussian(1, 4, 5), 2300);
    const Bench bench = benchOf(1, options);
    CHECK(bench.search->within(equal.view(), 4, {}) == KdTreeSearch(1).within(equal.view(), 4, {}));
    CHECK(bench.devices[0]->repeated > 0);
    const Matrix other = repeated(equal, 2100);
    const std::vector<double> zero(equal.rows, 0.0);
    const assay::test::Sides query{{equal.view(), 4, zero, zero}, {other.view(), 7}};
    const Bench cross = benchOf(1, options);
    CHECK(cross.search->between(query.a, query.b, {}) == KdTreeSearch(1).between(query.a, query.b, {}));
    CHECK(cross.devices[0]->repeated > 0);
    CHECK(cross.devices[0]->ballParts > 0);
}

/// The first coordinate of every row is so far from the mean that steps of integers swallow the others.
void takesFloatsWhereIntegersAreTooCoarse() {
    Matrix coarse = gaussian(2400, 8, 9);
    for (std::size_t row = 0; row < coarse.rows; ++row)
        coarse.values[row * coarse.dim] += row % 10 == 0 ? -3e4F : 3e4F;
    const NeighborTable expected = KdTreeSearch(1).within(coarse.view(), 5, {});
    const Bench integers = benchOf(1, {});
    CHECK(integers.search->within(coarse.view(), 5, {}) == expected);
    const Bench floats = benchOf(1, {}, nullptr, 0, DeviceSearch::Products::Floats);
    CHECK(floats.search->within(coarse.view(), 5, {}) == expected);
    // One region in vain, then what floats alone do.
    CHECK_ABOUT(integers.devices[0]->regions == floats.devices[0]->regions + 1,
                std::to_string(integers.devices[0]->regions) + " and " + std::to_string(floats.devices[0]->regions));
}

/// More pairs within their limits than fit at a time: each is handed over once all the same.
void handsEachPairOverOnce() {
    const Matrix a = gaussian(2300, 3, 10);
    const Matrix b = gaussian(2100, 3, 11);
    const Frame frame = Frame::of(a.view(), {a.view(), b.view()}, 1, {});
    const ProductOperand x = ProductOperand::of(a.view(), frame, Precision::Integer, 1, {});
    const ProductOperand y = ProductOperand::of(b.view(), frame, Precision::Integer, 1, {});
    EmulatedDevice device;
    std::mutex inUse;
    const auto tiles = pairTilesOnDevice(device, inUse, {a.rows, b.rows, a.dim});
    tiles->setRows(x);
    tiles->setColumns(y);
    std::vector<std::uint8_t> found(a.rows * b.rows, 0);
    int parts = 0;
    tiles->select(std::vector<PruningLimit>(a.rows, {infinity(), infinity()}),
                  [&](std::span<const PairHit> hits) {
                      ++parts;
                      for (const PairHit& hit : hits)
                          ++found[hit.row * b.rows + hit.column];
                  },
                  {});
    CHECK(parts > 1);
    CHECK(std::all_of(found.begin(), found.end(), [](std::uint8_t times) { return times == 1; }));
    EmulatedDevice small({.memory = 1 << 20});
    CHECK(pairTilesOnDevice(small, inUse, {a.rows, b.rows, a.dim}) == nullptr);
    EmulatedDevice broken({.largestAllocation = 1000});
    CHECK(pairTilesOnDevice(broken, inUse, {a.rows, b.rows, a.dim}) == nullptr);
}

void stopsBetweenRegions() {
    const Matrix a = gaussian(600, 8, 6);
    std::stop_source source;
    int reports = 0;
    const JobContext job(source.get_token(), [&](const Progress& progress) {
        ++reports;
        if (progress.fraction > 0.02)
            source.request_stop();
    });
    bool cancelled = false;
    try {
        benchOf(1, {}).search->within(a.view(), 3, job);
    } catch (const Cancelled&) {
        cancelled = true;
    }
    CHECK(cancelled);
    CHECK(reports > 0);
}

void findsFewCandidates() {
    // In many dimensions the bounds are narrow beside the distances: few rows beyond the k nearest are measured.
    if (assay::test::takesSmallSizes()) // it holds for many rows
        return;
    const Matrix a = gaussian(3000, 256, 8);
    const Bench bench = benchOf(1, {});
    CHECK(bench.search->within(a.view(), 10, {}).rows() == a.rows);
    CHECK_ABOUT(bench.devices[0]->candidates < 60 * 3000LL, std::to_string(bench.devices[0]->candidates));
}

} // namespace

int main() {
    run("the contract on one device", [] { checkContract(makerOf(1), sized(~std::size_t{0}, std::size_t{100})); });
    EmulatedOptions wrong;
    wrong.productError = 1.0;
    run("the contract with products as wrong as the bounds allow",
        [&] { checkContract(makerOfFloats(wrong), sized(350, 80)); });
    EmulatedOptions backwards;
    backwards.backwards = true;
    run("the contract on three devices, pairs in another order",
        [&] { checkContract(makerOf(3, backwards, 256), sized(600, 150)); });
    run("random shapes", [] { checkRandomised(makerOf(1), 20261120, sized(25, 3)); });
    run("random shapes on two devices", [] { checkRandomised(makerOf(2, {}, 256), 7, sized(15, 2)); });
    run("balls of every size, refusals", [] { checkBallsAndRefusals(makerOf(1)); });
    run("streams what does not fit", streamsWhatDoesNotFit);
    run("takes less memory, then the CPU", takesLessMemoryThenTheCpu);
    run("leaves many neighbours to the CPU", leavesManyNeighborsToTheCpu);
    run("repeats overflowed regions", repeatsOverflowedRegions);
    run("takes floats where integers are too coarse", takesFloatsWhereIntegersAreTooCoarse);
    run("hands each pair over once", handsEachPairOverOnce);
    run("stops between regions", stopsBetweenRegions);
    run("finds few candidates in many dimensions", findsFewCandidates);
    return verdict();
}
