// Gram matrices on the simulated card (simulated/) against plain sums.
#include "engine/base/error.h"
#include "engine/gpu/device/device.h"
#include "engine/gpu/search/device_accelerator.h"
#include "engine/gpu/search/device_search.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "tests/cuda/simulated/simulator.h"
#include "tests/cuda/support/check.h"
#include "tests/cuda/support/counting_device.h"
#include "tests/cuda/support/device_checks.h"

#include <string>

using namespace assay;
using namespace assay::cuda;
using namespace assay::cuda::test;
using simulated::ChangedMachine;
using simulated::Order;

namespace {

/// Memory for one slice of rows at a time.
std::size_t leastGramMemory(const Matrix& set) {
    ChangedMachine machine;
    for (machine->memory = 1 << 12;; machine->memory += machine->memory / 8)
        if (gramOnDevice(*openCudaDevice(0, 1), set.view(), std::vector<double>(set.dim), std::vector<double>(set.rows),
                         {}))
            return machine->memory;
}

void gramIsTheSameInAnyMemory() {
    const Matrix set = gaussian(2700, 20, 5);
    const std::vector<double> mean(set.dim, 0.1);
    std::vector<double> scale(set.rows);
    for (std::size_t r = 0; r < set.rows; ++r)
        scale[r] = 1.0 / static_cast<double>(r + 1);
    const std::size_t least = leastGramMemory(set);
    CountingDevice wide(openCudaDevice(0, 1));
    const auto expected = gramOnDevice(wide, set.view(), mean, scale, {});
    CHECK(expected && wide.loads == 1);
    for (const Order order : {Order::AsCalled, Order::Late, Order::CopiesFirst}) {
        ChangedMachine machine;
        machine->order = order;
        machine->backwards = order == Order::Late;
        machine->memory = least;
        simulated::counts().largestUse = 0;
        CountingDevice narrow(openCudaDevice(0, 1));
        const auto streamed = gramOnDevice(narrow, set.view(), mean, scale, {});
        CHECK(streamed && streamed->values == expected->values);
        CHECK(narrow.loads == 6);
        CHECK(simulated::counts().largestUse <= least);
    }
    ChangedMachine machine;
    machine->largestAllocation = least; // memory that only seems to be free
    const auto smaller = gramOnDevice(*openCudaDevice(0, 1), set.view(), mean, scale, {});
    CHECK(smaller && smaller->values == expected->values);
}

std::unique_ptr<DeviceSearch> search() {
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(openCudaDevice(0, 1));
    return std::make_unique<DeviceSearch>(std::move(devices), 1,
                                          [](unsigned threads) { return std::make_unique<KdTreeSearch>(threads); });
}

void declinesWhatDoesNotFit() {
    const Matrix set = gaussian(100, 10, 6);
    const std::vector<double> mean(set.dim, 0.0);
    const auto device = search();
    CHECK(abilityOf<GramAccelerator>(device->accelerator())->gram(set.view(), mean, {}, {}).has_value());
    CHECK(device->hardware().find("CPU") == std::string::npos);
    ChangedMachine machine;
    machine->largestAllocation = 1000;
    CHECK(!abilityOf<GramAccelerator>(device->accelerator())->gram(set.view(), mean, {}, {}).has_value());
    CHECK(device->hardware().find("CPU") != std::string::npos);
    machine->largestAllocation = ~std::size_t{0};
    const Matrix wide = gaussian(2, 5000, 7);
    CHECK(!abilityOf<GramAccelerator>(device->accelerator())
               ->gram(wide.view(), std::vector<double>(wide.dim), {}, {})
               .has_value());
}

void gramStops() {
    const Matrix set = gaussian(2000, 10, 8);
    const std::size_t least = leastGramMemory(set);
    ChangedMachine machine;
    machine->memory = least;
    CountingDevice device(openCudaDevice(0, 1));
    std::stop_source source;
    const JobContext job(source.get_token(), [&](const Progress& progress) {
        if (progress.fraction > 0.2)
            source.request_stop();
    });
    bool cancelled = false;
    try {
        gramOnDevice(device, set.view(), std::vector<double>(set.dim), {}, job);
    } catch (const Cancelled&) {
        cancelled = true;
    }
    CHECK(cancelled);
    CHECK(device.loads < 4);
}

void givesEverythingBack() {
    CHECK(simulated::counts().nothingIsHeld());
}

} // namespace

int main() {
    run("Gram matrices", [] { checkGram(*openCudaDevice(0, 1)); });
    run("Gram matrices are the same in any memory", gramIsTheSameInAnyMemory);
    run("declines what does not fit", declinesWhatDoesNotFit);
    run("stops between chunks", gramStops);
    run("gives everything back", givesEverythingBack);
    return verdict();
}
