// Gram matrices, whose kernels and the code around them run on the host (simulated/, support/emulated_device.h),
// against plain sums.
#include "engine/base/error.h"
#include "engine/gpu/device/cuda_device.h"
#include "engine/gpu/search/device_accelerator.h"
#include "engine/gpu/search/device_search.h"
#include "engine/neighbors/backends/kdtree_search.h"
#include "tests/cuda/simulated/simulator.h"
#include "tests/cuda/support/check.h"
#include "tests/cuda/support/device_checks.h"
#include "tests/cuda/support/emulated_device.h"

#include <string>

using namespace assay;
using namespace assay::cuda;
using namespace assay::cuda::test;

namespace {

/// Memory for one slice of rows at a time.
std::size_t leastGramMemory(const Matrix& set) {
    std::size_t bytes = 1 << 12;
    for (;; bytes += bytes / 8) {
        EmulatedOptions options;
        options.memory = bytes;
        EmulatedDevice device(options);
        if (gramOnDevice(device, set.view(), std::vector<double>(set.dim), std::vector<double>(set.rows), {}))
            return bytes;
    }
}

void gramIsTheSameInAnyMemory() {
    const Matrix set = gaussian(2700, 20, 5);
    const std::vector<double> mean(set.dim, 0.1);
    std::vector<double> scale(set.rows);
    for (std::size_t r = 0; r < set.rows; ++r)
        scale[r] = 1.0 / static_cast<double>(r + 1);
    EmulatedDevice wide;
    const auto expected = gramOnDevice(wide, set.view(), mean, scale, {});
    CHECK(expected && wide.loads == 1);
    EmulatedOptions options;
    const std::size_t least = leastGramMemory(set);
    options.memory = least;
    EmulatedDevice narrow(options);
    const auto streamed = gramOnDevice(narrow, set.view(), mean, scale, {});
    CHECK(streamed && streamed->values == expected->values);
    CHECK(narrow.loads == 6);
    CHECK(narrow.largestUse <= options.memory);
    // Memory that only seems to be free.
    options.memory = std::size_t{1} << 30;
    options.largestAllocation = least;
    EmulatedDevice fragmented(options);
    const auto smaller = gramOnDevice(fragmented, set.view(), mean, scale, {});
    CHECK(smaller && smaller->values == expected->values);
    // The kernels themselves: once with little memory and threads in the opposite order.
    const simulated::Machine before = simulated::machine();
    for (const bool backwards : {false, true}) {
        simulated::machine().backwards = backwards;
        simulated::machine().memory = backwards ? least : before.memory;
        const auto device = openCudaDevice(0, 1);
        const auto product = gramOnDevice(*device, set.view(), mean, scale, {});
        CHECK(product && product->values == expected->values);
    }
    simulated::machine().backwards = false;
    simulated::machine().memory = before.memory;
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
    simulated::machine().largestAllocation = 1000;
    CHECK(!abilityOf<GramAccelerator>(device->accelerator())->gram(set.view(), mean, {}, {}).has_value());
    CHECK(device->hardware().find("CPU") != std::string::npos);
    simulated::machine().largestAllocation = ~std::size_t{0};
    const Matrix wide = gaussian(2, 5000, 7);
    CHECK(!abilityOf<GramAccelerator>(device->accelerator())
               ->gram(wide.view(), std::vector<double>(wide.dim), {}, {})
               .has_value());
}

void gramStops() {
    const Matrix set = gaussian(2000, 10, 8);
    EmulatedOptions options;
    options.memory = leastGramMemory(set);
    EmulatedDevice device(options);
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
    CHECK(simulated::machine().handles.none());
}

} // namespace

int main() {
    EmulatedDevice emulated;
    run("Gram matrices", [] { checkGram(*openCudaDevice(0, 1)); });
    run("Gram matrices, emulated", [&] { checkGram(emulated); });
    run("Gram matrices are the same in any memory", gramIsTheSameInAnyMemory);
    run("declines what does not fit", declinesWhatDoesNotFit);
    run("stops between chunks", gramStops);
    run("gives everything back", givesEverythingBack);
    return verdict();
}
