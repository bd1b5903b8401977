// The kernels themselves, and the code around them, run on the host (simulated/): the exactness contract, memory that
// is poisoned, handles that are all given back.
#include "engine/gpu/device/device.h"
#include "engine/gpu/search/device_search.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "tests/cuda/simulated/simulator.h"
#include "tests/cuda/support/check.h"
#include "tests/cuda/support/contract.h"
#include "tests/cuda/support/device_checks.h"
#include "tests/support/test_size.h"

using namespace assay;
using namespace assay::cuda;
using namespace assay::cuda::test;
using assay::test::sized;

namespace {

std::unique_ptr<DeviceSearch> search(std::uint32_t mostBlockRows = 0) {
    std::vector<std::unique_ptr<Device>> devices;
    for (std::size_t d = 0; d < findCudaDevices().usable.size(); ++d)
        devices.push_back(openCudaDevice(d, 1));
    return std::make_unique<DeviceSearch>(
        std::move(devices), 1, [](unsigned threads) { return std::make_unique<KdTreeSearch>(threads); }, mostBlockRows);
}

/// A few hundred rows: two tiles each way.
void servesBothSides() {
    const Matrix a = gaussian(300, 70, 1);
    const Matrix b = gaussian(290, 70, 2);
    const std::vector<double> radius(a.rows, 10.5);
    const std::vector<double> inner(a.rows, 10.0);
    const std::vector<double> radiusB(b.rows, 10.2);
    const assay::test::Sides query{{a.view(), 7, radius, inner}, {b.view(), 9, radiusB}};
    CHECK(search()->between(query.a, query.b, {}) == directBetween(query.a, query.b));
    CHECK(search(256)->within(a.view(), 33, {}) == directNeighbors(a.view(), a.view(), 33, true));
}

void repeatsOverflowedRegions() {
    const auto device = openCudaDevice(0, 1);
    const long long before = simulated::counts().launches;
    checkOverflow(*device, 600);
    CHECK(simulated::counts().launches - before > 20); // eight where nothing is repeated
}

void sharesWorkAndMemory() {
    simulated::ChangedMachine machine;
    machine->devices = 2;
    const Matrix a = grid(600, 3, 7, 5);
    CHECK(search(256)->hardware() == "2 x simulated card (1 GiB)");
    CHECK(search(256)->within(a.view(), 20, {}) == directNeighbors(a.view(), a.view(), 20, true));
}

void saysWhatIsMissing() {
    simulated::ChangedMachine machine;
    machine->devices = 0;
    CHECK(findCudaDevices().usable.empty() && findCudaDevices().missing == "The NVIDIA driver sees no device.");
    machine->devices = 1;
    machine->major = 7;
    CHECK(findCudaDevices().usable.empty() && findCudaDevices().missing.find("capability") != std::string::npos);
    machine->major = 8;
    machine->hasCublas = false;
    CHECK(findCudaDevices().usable.empty() &&
          findCudaDevices().missing == "libcublas.so.13 of the CUDA Toolkit is missing.");
}

void givesEverythingBack() {
    CHECK(simulated::counts().nothingIsHeld());
    std::stop_source source;
    source.request_stop();
    const Matrix a = gaussian(300, 3, 7);
    bool cancelled = false;
    try {
        search()->within(a.view(), 3, JobContext(source.get_token()));
    } catch (const Cancelled&) {
        cancelled = true;
    }
    CHECK(cancelled);
    CHECK(simulated::counts().nothingIsHeld());
}

} // namespace

int main() {
    run("serves both sides of a pair", servesBothSides);
    run("bounds", [] { checkBounds(*openCudaDevice(0, 1)); });
    run("pairs within limits", [] { checkPairs(*openCudaDevice(0, 1)); });
    // Work that nothing waits for is not done; then rows that are copied too early overwrite rows that are still read.
    simulated::machine().order = simulated::Order::Late;
    run("the contract", [] { checkContract([] { return search(); }, sized(140, 40)); });
    simulated::machine().order = simulated::Order::CopiesFirst;
    simulated::machine().backwards = true;
    run("random shapes in small blocks, threads in the opposite order",
        [] { checkRandomised([] { return search(256); }, 11, 2); });
    run("balls of every size, refusals", [] { checkBallsAndRefusals([] { return search(); }); });
    run("repeats overflowed regions", repeatsOverflowedRegions);
    simulated::machine().backwards = false;
    run("shares the work between devices", sharesWorkAndMemory);
    run("says what is missing", saysWhatIsMissing);
    run("gives everything back", givesEverythingBack);
    return verdict();
}
