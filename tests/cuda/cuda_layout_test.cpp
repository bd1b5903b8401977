// Layouts on the simulated card (simulated/) against plain rounds.
#include "engine/base/error.h"
#include "engine/gpu/device/device.h"
#include "engine/gpu/search/device_accelerator.h"
#include "tests/cuda/simulated/simulator.h"
#include "tests/cuda/support/check.h"
#include "tests/cuda/support/device_checks.h"

using namespace assay;
using namespace assay::cuda;
using namespace assay::cuda::test;

namespace {

void declinesWhatDoesNotFit() {
    const LayoutCase layout = layoutCase(500, 1);
    const auto device = openCudaDevice(0, 1);
    simulated::ChangedMachine machine;
    machine->memory = 20'000; // seen before anything is asked for
    simulated::counts().largestUse = 0;
    CHECK(!layoutOnDevice(*device, layout.graph, layout.start, layout.plan, {}));
    CHECK(simulated::counts().largestUse == 0);
    machine->memory = std::size_t{1} << 30;
    machine->largestAllocation = 20'000; // seems to be free
    CHECK(!layoutOnDevice(*device, layout.graph, layout.start, layout.plan, {}));
}

void stopsBetweenRounds() {
    const LayoutCase layout = layoutCase(500, 2);
    const auto device = openCudaDevice(0, 1);
    std::stop_source source;
    double last = 0.0;
    const JobContext job(source.get_token(), [&](const Progress& progress) {
        last = progress.fraction;
        if (progress.fraction > 0.4)
            source.request_stop();
    });
    bool cancelled = false;
    try {
        layoutOnDevice(*device, layout.graph, layout.start, layout.plan, job);
    } catch (const Cancelled&) {
        cancelled = true;
    }
    CHECK(cancelled);
    CHECK(last < 0.6);
}

} // namespace

int main() {
    run("layouts", [] { checkLayout(*openCudaDevice(0, 1)); });
    run("declines what does not fit", declinesWhatDoesNotFit);
    run("stops between rounds", stopsBetweenRounds);
    CHECK(simulated::counts().nothingIsHeld());
    return verdict();
}
