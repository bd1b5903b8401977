// Products in single precision and one-class training, whose kernels and the code around them run on the host
// (simulated/, support/emulated_device.h), against plain sums.
#include "engine/base/error.h"
#include "engine/gpu/device/cuda_device.h"
#include "engine/gpu/search/device_accelerator.h"
#include "tests/cuda/simulated/simulator.h"
#include "tests/cuda/support/check.h"
#include "tests/cuda/support/dense_checks.h"
#include "tests/cuda/support/emulated_device.h"

#include <cmath>
#include <mutex>

using namespace assay;
using namespace assay::cuda;
using namespace assay::cuda::test;

namespace {

/// Loss and gradient after two steps along the gradient, in the order of OneClassDescent.
std::vector<float> afterTwoSteps(Device& device, const OneClassRows& rows) {
    std::mutex inUse;
    std::vector<float> weights = weightsFor(rows.set.dim);
    const auto descent = descentOnDevice(device, inUse, rows);
    CHECK(descent != nullptr);
    for (int step = 0; step < 2 && descent; ++step) {
        weights[0] = static_cast<float>(descent->compute(weights, {}).training);
        for (std::size_t w = 1; w < weights.size(); ++w)
            weights[w] -= 1e-4F * descent->gradient()[w];
    }
    return weights;
}

std::size_t leastMemory(const OneClassRows& rows) {
    std::mutex inUse;
    for (std::size_t bytes = 1 << 12;; bytes += bytes / 8) {
        EmulatedOptions options;
        options.memory = bytes;
        EmulatedDevice device(options);
        if (descentOnDevice(device, inUse, rows))
            return bytes;
    }
}

void trainingIsTheSameInAnyMemory() {
    const Matrix set = gaussian(2100, 3, 2);
    const std::vector<std::uint8_t> held = everyFifth(set.rows);
    const OneClassRows rows{set.view(), held, 0.01};
    EmulatedDevice wide;
    const std::vector<float> expected = afterTwoSteps(wide, rows);
    CHECK(wide.loads == 1); // and stays there
    EmulatedOptions options;
    options.memory = leastMemory(rows);
    EmulatedDevice narrow(options);
    CHECK(afterTwoSteps(narrow, rows) == expected);
    CHECK(narrow.loads == 10); // five chunks, twice
    CHECK(narrow.largestUse <= options.memory);
    const simulated::Machine before = simulated::machine();
    for (const bool backwards : {false, true}) {
        simulated::machine().backwards = backwards;
        simulated::machine().memory = backwards ? options.memory : before.memory;
        const auto device = openCudaDevice(0, 1);
        CHECK(afterTwoSteps(*device, rows) == expected);
    }
    simulated::machine().backwards = false;
    simulated::machine().memory = before.memory;
}

void declinesWhatDoesNotFit() {
    std::mutex inUse;
    const Matrix set = gaussian(100, 10, 3);
    const std::vector<std::uint8_t> held = everyFifth(set.rows);
    const auto device = openCudaDevice(0, 1);
    simulated::machine().largestAllocation = 1000;
    CHECK(descentOnDevice(*device, inUse, {set.view(), held, 0.01}) == nullptr);
    simulated::machine().largestAllocation = ~std::size_t{0};
}

/// Values that single precision cannot hold show in the loss.
void overflowIsSeen() {
    std::mutex inUse;
    Matrix set = gaussian(20, 4, 4);
    for (float& value : set.values)
        value *= 1e38F;
    const std::vector<std::uint8_t> held(set.rows, 0);
    const auto device = openCudaDevice(0, 1);
    const auto descent = descentOnDevice(*device, inUse, {set.view(), held, 0.01});
    CHECK(!std::isfinite(descent->compute(scaled({weightsFor(4), 1, 1}, 100.0F).values, {}).training));
}

void stopsBetweenChunks() {
    std::mutex inUse;
    const Matrix set = gaussian(3000, 2, 5);
    const std::vector<std::uint8_t> held = everyFifth(set.rows);
    EmulatedOptions options;
    options.memory = leastMemory({set.view(), held, 0.01});
    EmulatedDevice device(options);
    const auto descent = descentOnDevice(device, inUse, {set.view(), held, 0.01});
    std::stop_source source;
    double furthest = 0.0;
    const JobContext job(source.get_token(), [&](const Progress& progress) {
        furthest = progress.fraction;
        if (progress.fraction > 0.3)
            source.request_stop();
    });
    bool cancelled = false;
    try {
        descent->compute(weightsFor(2), job);
    } catch (const Cancelled&) {
        cancelled = true;
    }
    CHECK(cancelled);
    CHECK(furthest < 0.6);
}

} // namespace

int main() {
    EmulatedDevice emulated;
    run("products", [] { checkProducts(*openCudaDevice(0, 1)); });
    run("products, emulated", [&] { checkProducts(emulated); });
    run("losses and gradients", [] { checkOneClass(*openCudaDevice(0, 1)); });
    run("losses and gradients, emulated", [&] { checkOneClass(emulated); });
    run("training is the same in any memory", trainingIsTheSameInAnyMemory);
    run("declines what does not fit", declinesWhatDoesNotFit);
    run("overflow is seen", overflowIsSeen);
    run("stops between chunks", stopsBetweenChunks);
    CHECK(simulated::machine().handles.none());
    return verdict();
}
