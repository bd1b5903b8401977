// The course of a search on the simulated card (simulated/): the exactness contract in every order of queued work, with
// products as wrong as the bounds allow and on several devices, and what happens when lists overflow or memory runs
// out.
#include "engine/gpu/device/device.h"
#include "engine/gpu/search/device_search.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "tests/cuda/simulated/simulator.h"
#include "tests/cuda/support/check.h"
#include "tests/cuda/support/contract.h"
#include "tests/cuda/support/counting_device.h"
#include "tests/support/test_size.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

using namespace assay;
using namespace assay::cuda;
using namespace assay::cuda::test;
using assay::test::sized;
using simulated::ChangedMachine;
using simulated::Order;

namespace {

/// A search by simulated cards.
struct Bench {
    std::unique_ptr<DeviceSearch> search;
    std::vector<CountingDevice*> devices;
    std::shared_ptr<bool> usedCpu = std::make_shared<bool>(false);
};

Bench benchOf(std::size_t devices = 1, std::uint32_t mostBlockRows = 0,
              DeviceSearch::Products products = DeviceSearch::Products::IntegersFirst) {
    std::vector<std::unique_ptr<Device>> made;
    Bench bench;
    for (std::size_t d = 0; d < devices; ++d) {
        auto device = std::make_unique<CountingDevice>(openCudaDevice(0, 1));
        bench.devices.push_back(device.get());
        made.push_back(std::move(device));
    }
    bench.search = std::make_unique<DeviceSearch>(
        std::move(made), 1,
        [usedCpu = bench.usedCpu](unsigned threads) {
            *usedCpu = true;
            return std::make_unique<KdTreeSearch>(threads);
        },
        mostBlockRows, products);
    return bench;
}

MakeContractSearch makerOf(std::size_t devices, std::uint32_t mostBlockRows = 0,
                           DeviceSearch::Products products = DeviceSearch::Products::IntegersFirst) {
    return [=]() -> std::unique_ptr<NeighborSearch> {
        return std::move(benchOf(devices, mostBlockRows, products).search);
    };
}

/// Memory for blocks of 256 rows that come and go, and the shortest lists.
std::size_t leastMemory(const PassShape& shape) {
    std::size_t bytes = std::size_t{1} << 10;
    while (!planPass(shape, bytes, kTileEdge))
        bytes += bytes / 64;
    CHECK(!planPass(shape, bytes, kTileEdge)->resident());
    return bytes;
}

/// Memory for one block of all rows and the shortest lists, by products of floats.
std::size_t memoryForShortLists(PassShape shape) {
    shape.precision = Precision::Single;
    std::size_t bytes = std::size_t{1} << 10;
    while (!planPass(shape, bytes) || !planPass(shape, bytes)->resident())
        bytes += bytes / 64;
    return bytes;
}
std::size_t freeFor(std::size_t planned) {
    return static_cast<std::size_t>(static_cast<double>(planned) / kShareOfFree) + 4096;
}

void streamsWhatDoesNotFit() {
    const Matrix a = gaussian(1300, 64, 1);
    const Matrix b = gaussian(800, 64, 2);
    const std::vector<double> radius(a.rows, 11.0);
    const assay::test::Sides query{{a.view(), 6, radius}, {b.view(), 6}};
    const PassResult expected = KdTreeSearch(1).between(query.a, query.b, {});
    const NeighborTable own = KdTreeSearch(1).within(a.view(), 6, {});
    for (const Order order : {Order::Late, Order::CopiesFirst}) {
        ChangedMachine machine;
        machine->order = order;
        machine->memory = freeFor(leastMemory({a.rows, b.rows, a.dim, 6, 6, true, false, false}));
        simulated::counts().largestUse = 0;
        const Bench bench = benchOf(1, kTileEdge);
        CHECK(bench.search->between(query.a, query.b, {}) == expected);
        CHECK_ABOUT(bench.devices[0]->loads > 15,
                    std::to_string(bench.devices[0]->loads)); // 6 and 4 blocks, some again
        CHECK(simulated::counts().largestUse <= machine->memory);

        machine->memory = freeFor(leastMemory({a.rows, 0, a.dim, 6}));
        simulated::counts().largestUse = 0;
        const Bench self = benchOf(1, kTileEdge);
        CHECK(self.search->within(a.view(), 6, {}) == own);
        CHECK(self.devices[0]->loads > 7 && !*self.usedCpu && !*bench.usedCpu);
        CHECK(simulated::counts().largestUse <= machine->memory);
    }
}

void takesLessMemoryThenTheCpu() {
    const Matrix a = gaussian(700, 40, 3);
    const NeighborTable expected = KdTreeSearch(1).within(a.view(), 5, {});
    ChangedMachine machine;
    machine->largestAllocation = memoryForShortLists({a.rows, 0, a.dim, 5}) * 5 / 4;
    const Bench tight = benchOf();
    CHECK(tight.search->within(a.view(), 5, {}) == expected);
    CHECK(!*tight.usedCpu);
    machine->largestAllocation = 1000;
    const Bench none = benchOf();
    CHECK(none.search->hardware() == "simulated card (1 GiB)");
    CHECK(none.search->within(a.view(), 5, {}) == expected);
    CHECK(*none.usedCpu);
    CHECK(none.search->hardware().find("CPU") != std::string::npos);
}

void leavesManyNeighborsToTheCpu() {
    const Matrix a = gaussian(1200, 3, 4);
    const Bench bench = benchOf();
    CHECK(bench.search->within(a.view(), 1100, {}) == KdTreeSearch(1).within(a.view(), 1100, {}));
    CHECK(*bench.usedCpu);
}

/// Lists that cannot hold a region's candidates: all distances are zero.
void repeatsOverflowedRegions() {
    ChangedMachine machine;
    machine->backwards = true;
    const Matrix equal = repeated(gaussian(1, 4, 5), 450);
    machine->memory = freeFor(memoryForShortLists({equal.rows, 0, equal.dim, 4}));
    const Bench bench = benchOf();
    CHECK(bench.search->within(equal.view(), 4, {}) == KdTreeSearch(1).within(equal.view(), 4, {}));
    CHECK(bench.devices[0]->repeated > 0);
    const Matrix other = repeated(equal, 420);
    const std::vector<double> zero(equal.rows, 0.0);
    const assay::test::Sides query{{equal.view(), 4, zero, zero}, {other.view(), 7}};
    machine->memory = freeFor(memoryForShortLists({equal.rows, other.rows, equal.dim, 4, 7, true, true}));
    const Bench cross = benchOf();
    CHECK(cross.search->between(query.a, query.b, {}) == KdTreeSearch(1).between(query.a, query.b, {}));
    CHECK(cross.devices[0]->repeated > 0 && cross.devices[0]->ballParts > 0);
}

/// The first coordinate of every row is so far from the mean that steps of integers swallow the others.
void takesFloatsWhereIntegersAreTooCoarse() {
    Matrix coarse = gaussian(600, 8, 9);
    for (std::size_t row = 0; row < coarse.rows; ++row)
        coarse.values[row * coarse.dim] += row % 10 == 0 ? -3e4F : 3e4F;
    const NeighborTable expected = KdTreeSearch(1).within(coarse.view(), 5, {});
    ChangedMachine machine;
    machine->memory = freeFor(memoryForShortLists({coarse.rows, 0, coarse.dim, 5}));
    const Bench integers = benchOf();
    CHECK(integers.search->within(coarse.view(), 5, {}) == expected);
    const Bench floats = benchOf(1, 0, DeviceSearch::Products::Floats);
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
    std::mutex inUse;
    const auto device = openCudaDevice(0, 1);
    const auto tiles = pairTilesOnDevice(*device, inUse, {a.rows, b.rows, a.dim});
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
    ChangedMachine machine;
    machine->memory = 1 << 20;
    CHECK(pairTilesOnDevice(*device, inUse, {a.rows, b.rows, a.dim}) == nullptr);
    machine->memory = std::size_t{1} << 30;
    machine->largestAllocation = 1000;
    CHECK(pairTilesOnDevice(*device, inUse, {a.rows, b.rows, a.dim}) == nullptr);
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
        benchOf().search->within(a.view(), 3, job);
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
    const Matrix a = gaussian(2000, 256, 8);
    const Bench bench = benchOf();
    CHECK(bench.search->within(a.view(), 10, {}).rows() == a.rows);
    CHECK_ABOUT(bench.devices[0]->measured < 60 * 2000LL, std::to_string(bench.devices[0]->measured));
}

} // namespace

int main() {
    run("the contract with products as wrong as the bounds allow", [] {
        ChangedMachine machine;
        machine->productError = 1.0;
        checkContract(makerOf(1, 0, DeviceSearch::Products::Floats), sized(80, 40));
    });
    run("random shapes on three devices", [] { checkRandomised(makerOf(3, kTileEdge), 7, sized(3, 1)); });
    run("streams what does not fit", streamsWhatDoesNotFit);
    run("takes less memory, then the CPU", takesLessMemoryThenTheCpu);
    run("leaves many neighbours to the CPU", leavesManyNeighborsToTheCpu);
    run("repeats overflowed regions", repeatsOverflowedRegions);
    run("takes floats where integers are too coarse", takesFloatsWhereIntegersAreTooCoarse);
    run("hands each pair over once", handsEachPairOverOnce);
    run("stops between regions", stopsBetweenRegions);
    run("finds few candidates in many dimensions", findsFewCandidates);
    CHECK(simulated::counts().nothingIsHeld());
    return verdict();
}
