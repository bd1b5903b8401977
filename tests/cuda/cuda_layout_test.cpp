// Layouts, whose kernel and the code around it run on the host (simulated/, support/emulated_device.h), against plain
// rounds.
#include "engine/base/error.h"
#include "engine/gpu/device/cuda_device.h"
#include "engine/gpu/search/device_accelerator.h"
#include "tests/cuda/simulated/simulator.h"
#include "tests/cuda/support/check.h"
#include "tests/cuda/support/device_checks.h"
#include "tests/cuda/support/emulated_device.h"

using namespace assay;
using namespace assay::cuda;
using namespace assay::cuda::test;

namespace {

void declinesWhatDoesNotFit() {
    const LayoutCase layout = layoutCase(500, 1);
    EmulatedOptions options;
    options.memory = 20'000; // seen before anything is asked for
    EmulatedDevice small(options);
    CHECK(!layoutOnDevice(small, layout.graph, layout.start, layout.plan, {}));
    CHECK(small.largestUse == 0);
    options.memory = std::size_t{1} << 30;
    options.largestAllocation = 20'000; // seems to be free
    EmulatedDevice fragmented(options);
    CHECK(!layoutOnDevice(fragmented, layout.graph, layout.start, layout.plan, {}));
}

void stopsBetweenRounds() {
    const LayoutCase layout = layoutCase(500, 2);
    EmulatedDevice device;
    std::stop_source source;
    double last = 0.0;
    const JobContext job(source.get_token(), [&](const Progress& progress) {
        last = progress.fraction;
        if (progress.fraction > 0.4)
            source.request_stop();
    });
    bool cancelled = false;
    try {
        layoutOnDevice(device, layout.graph, layout.start, layout.plan, job);
    } catch (const Cancelled&) {
        cancelled = true;
    }
    CHECK(cancelled);
    CHECK(last < 0.6);
}

} // namespace

int main() {
    EmulatedDevice emulated;
    run("layouts", [] { checkLayout(*openCudaDevice(0, 1)); });
    run("layouts, emulated", [&] { checkLayout(emulated); });
    run("declines what does not fit", declinesWhatDoesNotFit);
    run("stops between rounds", stopsBetweenRounds);
    CHECK(simulated::machine().handles.none());
    return verdict();
}
