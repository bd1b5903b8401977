// The exactness contract, products of columns and layouts on the graphics cards of this machine. Skips, by name, where
// there is none. Usage: cuda_device_test [--quick] [SEED]; --quick leaves out what takes CUDA's own checkers too long.
#include "engine/base/error.h"
#include "engine/gpu/device/device.h"
#include "engine/gpu/search/device_accelerator.h"
#include "engine/gpu/search/device_search.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "tests/cuda/support/all_devices.h"
#include "tests/cuda/support/check.h"
#include "tests/cuda/support/contract.h"
#include "tests/cuda/support/device_checks.h"
#include "tests/cuda/support/forwarding_device.h"
#include "tests/engine/support/stopping.h"

#include <algorithm>
#include <random>

using namespace assay;
using namespace assay::cuda;
using namespace assay::cuda::test;

namespace {

std::unique_ptr<NeighborSearch> onCpu(unsigned threads) {
    return std::make_unique<KdTreeSearch>(threads);
}

/// Fails where the CPU would have to take over.
std::unique_ptr<NeighborSearch> noFallback(unsigned threads) {
    class Empty : public NeighborSearch {
    public:
        explicit Empty(unsigned threads) : tree_(threads) {}
        std::string_view name() const override { return "none"; }
        NeighborTable within(MatrixView, std::size_t, const JobContext&) const override {
            throw Error(ErrorKind::DeviceFailed, "the device gave the work away");
        }
        PassResult between(const SideQuery& a, const SideQuery& b, const JobContext& job) const override {
            if (a.rows.rows > 0 && b.rows.rows > 0)
                throw Error(ErrorKind::DeviceFailed, "the device gave the work away");
            return tree_.between(a, b, job);
        }

    private:
        KdTreeSearch tree_;
    };
    return std::make_unique<Empty>(threads);
}

std::unique_ptr<DeviceSearch> search(std::uint32_t mostBlockRows = 0) {
    return std::make_unique<DeviceSearch>(openDevices(0), 0, noFallback, mostBlockRows);
}

/// Memory that is never given, so that plans have to do with less; what is given is poisoned.
class Stingy : public ForwardingDevice {
public:
    Stingy(std::unique_ptr<Device> device, std::size_t bytes) : ForwardingDevice(std::move(device)), bytes_(bytes) {}
    std::size_t freeBytes() override { return bytes_; }
    std::byte* allocate(std::size_t bytes) override {
        if (bytes > bytes_)
            throw OutOfDeviceMemory("too much");
        std::byte* memory = ForwardingDevice::allocate(bytes);
        fill(memory, 0xA5, bytes);
        return memory;
    }

private:
    std::size_t bytes_;
};

std::unique_ptr<DeviceSearch> stingySearch(std::size_t bytes, std::size_t devices = 1) {
    std::vector<std::unique_ptr<Device>> made;
    for (std::size_t d = 0; d < devices; ++d)
        made.push_back(std::make_unique<Stingy>(openDevice(0, 0), bytes));
    return std::make_unique<DeviceSearch>(std::move(made), 0, noFallback, 1024);
}

bool sameOnCpu(const NeighborSearch& device, const Matrix& a, const Matrix& b, std::size_t k) {
    const auto cpu = onCpu(0);
    const NeighborTable real = cpu->within(a.view(), k, {});
    const NeighborTable synthetic = cpu->within(b.view(), k, {});
    if (!(device.within(a.view(), k, {}) == real && device.within(b.view(), k, {}) == synthetic))
        return false;
    const std::vector<double> radiusA = real.distancesAt(5);
    const std::vector<double> radiusB = synthetic.distancesAt(5);
    std::vector<double> inner = radiusA;
    for (double& radius : inner)
        radius = std::min(radius, radiusA[0]);
    const assay::test::Sides query{{a.view(), k, radiusA, inner}, {b.view(), k, radiusB}};
    return device.between(query.a, query.b, {}) == cpu->between(query.a, query.b, {});
}

void manyRows() {
    CHECK(sameOnCpu(*search(), gaussian(20000, 64, 1), gaussian(20000, 64, 2), 33));
    CHECK(sameOnCpu(*search(), repeated(gaussian(900, 16, 3), 20000), repeated(gaussian(1100, 16, 3), 15000), 33));
    CHECK(sameOnCpu(*search(4096), grid(30000, 3, 5, 40), grid(20000, 3, 6, 40), 50));
    CHECK(sameOnCpu(*search(), gaussian(20000, 1024, 7), gaussian(20000, 1024, 8), 32));
}

/// The least memory with which a search goes at all: blocks come and go.
std::size_t leastMemory(const PassShape& shape) {
    std::size_t bytes = std::size_t{1} << 20;
    while (!planPass(shape, bytes, 1024))
        bytes += bytes / 16;
    CHECK(!planPass(shape, bytes, 1024)->resident());
    return static_cast<std::size_t>(static_cast<double>(bytes) / 0.92) + 4096;
}

void streamed() {
    const Matrix a = gaussian(20000, 256, 8);
    const Matrix b = gaussian(15000, 256, 9);
    const std::size_t between = leastMemory({a.rows, b.rows, a.dim, 10, 10, true, true, true});
    CHECK(sameOnCpu(*stingySearch(between), a, b, 10));
    CHECK(sameOnCpu(*stingySearch(between, 2), a, b, 10)); // shared by two devices that are one
    const std::size_t within = leastMemory({a.rows, 0, a.dim, 10});
    CHECK(stingySearch(within)->within(a.view(), 10, {}) == onCpu(0)->within(a.view(), 10, {}));
}

void gramsInAnyMemory() {
    const Matrix set = gaussian(5000, 150, 11);
    const std::vector<double> mean(set.dim, 0.25);
    const std::vector<double> scale(set.rows, 1.0 / 3.0);
    const auto device = openDevice(0, 0);
    Stingy stingy(openDevice(0, 0), std::size_t{3} << 20);
    const auto expected = gramOnDevice(*device, set.view(), mean, scale, {});
    CHECK(expected.has_value());
    for (int run = 0; run < 3; ++run)
        for (Device* each : {device.get(), static_cast<Device*>(&stingy)}) {
            const auto product = gramOnDevice(*each, set.view(), mean, scale, {});
            CHECK(product && expected && product->values == expected->values);
        }
}

void stopsWhenAsked(const assay::test::StoppableWork& work) {
    const std::string failure = assay::test::stopFailure(work, 5);
    CHECK_ABOUT(failure.empty(), failure);
}

void stops() {
    const Matrix a = grid(20000, 256, 5, 1000);
    stopsWhenAsked([&](const JobContext& job) { search(4096)->within(a.view(), 32, job); });
    const Matrix wide = grid(20000, 1024, 6, 1000);
    const auto device = openDevice(0, 0);
    stopsWhenAsked([&](const JobContext& job) {
        for (int again = 0; again < 5; ++again)
            gramOnDevice(*device, wide.view(), std::vector<double>(wide.dim), {}, job);
    });
    const LayoutCase layout = layoutCase(20'000, 7);
    stopsWhenAsked([&](const JobContext& job) { layoutOnDevice(*device, layout.graph, layout.start, {200, 1}, job); });
}

} // namespace

int main(int argc, char** argv) {
    const DeviceList& list = deviceList();
    if (list.usable.empty()) {
        std::printf("SKIPPED the tests of graphics cards: %s\n", list.missing.c_str());
        return kSkipped;
    }
    for (const DeviceInfo& info : list.usable)
        std::printf("%s\n", deviceText(info).c_str());
    const bool quick = argc > 1 && std::string(argv[1]) == "--quick";
    const char* given = argc > (quick ? 2 : 1) ? argv[quick ? 2 : 1] : nullptr;
    const unsigned seed = given != nullptr ? static_cast<unsigned>(std::stoul(given)) : std::random_device{}();
    run("bounds, pairs, lists that overflow", [] {
        Stingy device(openDevice(0, 0), std::size_t{2} << 30);
        checkBounds(device);
        checkPairs(device);
        checkOverflow(device, 2000);
    });
    run("the contract", [&] { checkContract([] { return search(); }, quick ? 300 : 5000); });
    run("the contract in small blocks, poisoned memory",
        [&] { checkContract([] { return stingySearch(std::size_t{2} << 30); }, quick ? 300 : 5000); });
    run("balls of every size, refusals", [] { checkBallsAndRefusals([] { return search(); }); });
    std::printf("random shapes: seed %u\n", seed);
    run("random shapes", [&] { checkRandomised([] { return search(256); }, seed, quick ? 5 : 60); });
    run("Gram matrices, layouts, poisoned memory", [] {
        Stingy device(openDevice(0, 0), std::size_t{2} << 30);
        checkGram(device);
        checkLayout(device);
    });
    if (quick)
        return verdict();
    run("Gram matrices are the same in any memory", gramsInAnyMemory);
    run("many rows, the same as the k-d tree", manyRows);
    run("streams what does not fit", streamed);
    run("stops when asked", stops);
    return verdict();
}
