// Times of an audit's passes and of the stages after them on a graphics card: the whole, stage by stage, and beside the
// rate at which the card can multiply. Prints Markdown. Usage: bench_cuda [--rows N] [--dim D] [--neighbors K]
// [--repeat R]
#include "engine/base/parallel.h"
#include "engine/gpu/device/cuda_handles.cuh"
#include "engine/gpu/device/device.h"
#include "engine/gpu/device/matrix_products.cuh"
#include "engine/gpu/search/device_accelerator.h"
#include "engine/gpu/search/device_search.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "tests/cuda/support/all_devices.h"
#include "tests/cuda/support/device_checks.h"
#include "tests/cuda/support/forwarding_device.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numbers>
#include <string>
#include <vector>

using namespace assay;
using namespace assay::cuda;

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string deviceName() {
    return "benchmark";
}

struct Settings {
    std::size_t rows = 50000;
    std::size_t dim = 1024;
    std::size_t neighbors = 32;
    int repeat = 5;
};

/// Independent normal coordinates, by every core.
std::vector<float> gaussian(std::size_t count, std::uint64_t seed) {
    std::vector<float> values(count);
    constexpr std::size_t kPart = std::size_t{1} << 20;
    parallelFor((count + kPart - 1) / kPart, 0, {}, [&](std::size_t part, unsigned) {
        std::uint64_t state = seed * 0x9E3779B97F4A7C15ULL + part * 0xD1342543DE82EF95ULL + 1;
        const auto uniform = [&] {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            return (static_cast<float>(state >> 40) + 0.5F) * 0x1p-24F;
        };
        for (int i = 0; i < 10; ++i)
            uniform();
        const std::size_t end = std::min(count, (part + 1) * kPart);
        for (std::size_t i = part * kPart; i < end; ++i)
            values[i] = std::sqrt(-2.0F * std::log(uniform())) * std::cos(2.0F * std::numbers::pi_v<float> * uniform());
    });
    return values;
}

/// Waits after every step, so that each one's time is its own.
class TimedDevice : public cuda::test::ForwardingDevice {
public:
    TimedDevice(std::unique_ptr<Device> device, std::map<std::string, double>& seconds, double& products)
        : ForwardingDevice(std::move(device)), seconds_(seconds), products_(products) {}

    void load(unsigned slot, const float* stored, float* rows, const PrepareJob& job) override {
        timed("copying rows, making operands", [&] {
            ForwardingDevice::load(slot, stored, rows, job);
            waitForSlots(slot, slot);
        });
    }
    void lowerReaches(const ReachJob& job) override {
        timed("lowering reaches by a sample", [&] { ForwardingDevice::lowerReaches(job); });
    }
    void startRegion(const RegionJob& job) override {
        timed("tiles, selection and lists", [&] { ForwardingDevice::startRegion(job); });
        const Region& region = job.region;
        const double pairs = static_cast<double>(region.xEnd - region.xBegin) * (region.yEnd - region.yBegin);
        if (job.wanted.level == 0)
            products_ += pairs * job.dim / (job.diagonal ? 2.0 : 1.0);
    }
    void measureLists(const MeasureJob& job) override {
        timed("measuring neighbours", [&] { ForwardingDevice::measureLists(job); });
    }
    void measureUndecided(const RegionJob& job, std::uint32_t count) override {
        timed("measuring undecided pairs", [&] { ForwardingDevice::measureUndecided(job, count); });
    }
    void download(void* to, const void* from, std::size_t bytes) override {
        timed("copying tables back", [&] { ForwardingDevice::download(to, from, bytes); });
    }

private:
    template <typename Step>
    void timed(const char* name, const Step& step) {
        wait();
        const auto start = Clock::now();
        step();
        wait();
        seconds_[name] += secondsSince(start);
    }

    std::map<std::string, double>& seconds_;
    double& products_;
};

std::unique_ptr<NeighborSearch> noFallback(unsigned threads) {
    std::puts("(the CPU took over: the figures are not the card's)");
    return std::make_unique<KdTreeSearch>(threads);
}

/// The passes of an audit. @return the seconds that they took
double audit(const DeviceSearch& search, MatrixView real, MatrixView synthetic, std::size_t k) {
    const auto start = Clock::now();
    const NeighborTable ofReal = search.within(real, k, {});
    const NeighborTable ofSynthetic = search.within(synthetic, k, {});
    const std::vector<double> radius = ofReal.distancesAt(5);
    std::vector<double> sorted = radius;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end());
    std::vector<double> clipped = radius;
    for (double& r : clipped)
        r = std::min(r, sorted[sorted.size() / 2]);
    const std::vector<double> radiusSynthetic = ofSynthetic.distancesAt(5);
    search.between({real, k, radius, clipped}, {synthetic, k, radiusSynthetic}, {});
    return secondsSince(start);
}

/// Median seconds of a step that is queued in the default stream.
template <typename Step>
double secondsOf(int repeat, const Step& step) {
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    ASSAY_CUDA_CALL(cudaEventCreate, &begin);
    ASSAY_CUDA_CALL(cudaEventCreate, &end);
    std::vector<double> seconds;
    for (int r = 0; r < repeat + 2; ++r) {
        ASSAY_CUDA_CALL(cudaEventRecord, begin, nullptr);
        step();
        ASSAY_CUDA_CALL(cudaGetLastError);
        ASSAY_CUDA_CALL(cudaEventRecord, end, nullptr);
        ASSAY_CUDA_CALL(cudaEventSynchronize, end);
        float milliseconds = 0.0F;
        ASSAY_CUDA_CALL(cudaEventElapsedTime, &milliseconds, begin, end);
        if (r >= 2) // the first ones warm up
            seconds.push_back(static_cast<double>(milliseconds) / 1e3);
    }
    ASSAY_CUDA_CALL(cudaEventDestroy, begin);
    ASSAY_CUDA_CALL(cudaEventDestroy, end);
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
}

/// Multiply-adds a second of cuBLAS alone, for tiles as the search has them.
struct Ceilings {
    double integers = 0.0, floats = 0.0;
};

double measureCeiling(std::size_t dim, Precision precision, int repeat) {
    constexpr std::size_t kRows = 4096;
    constexpr std::size_t kColumns = 8192;
    const std::size_t padded = paddedColumns(dim);
    const std::size_t bytes = kColumns * padded * valueBytes(precision);
    std::vector<float> values = gaussian(bytes / sizeof(float), 3);
    if (precision == Precision::Integer) { // zeros or patterns would run faster than data do
        auto* integers = reinterpret_cast<std::int8_t*>(values.data());
        const std::vector<float> all = gaussian(bytes, 3);
        for (std::size_t i = 0; i < bytes; ++i)
            integers[i] = static_cast<std::int8_t>(std::clamp(all[i] * 40.0F, -127.0F, 127.0F));
    }
    std::byte* x = nullptr;
    void* result = nullptr;
    ASSAY_CUDA_CALL(cudaMalloc, reinterpret_cast<void**>(&x), bytes);
    ASSAY_CUDA_CALL(cudaMalloc, &result, kRows * kColumns * sizeof(float));
    ASSAY_CUDA_CALL(cudaMemcpy, x, values.data(), bytes, cudaMemcpyHostToDevice);
    const MatrixProducts products(*CublasLibrary::load(), nullptr, deviceName());
    const double seconds = secondsOf(repeat, [&] {
        products.queue({x, x, padded, precision}, {0, kRows, 0, kColumns}, result);
    });
    ASSAY_CUDA_CALL(cudaFree, x);
    ASSAY_CUDA_CALL(cudaFree, result);
    return static_cast<double>(kRows) * static_cast<double>(kColumns) * static_cast<double>(dim) / seconds;
}

Ceilings measureCeilings(std::size_t dim, int repeat) {
    return {measureCeiling(dim, Precision::Integer, repeat), measureCeiling(dim, Precision::Single, repeat)};
}

Settings settingsFrom(int argc, char** argv) {
    Settings settings;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string name = argv[i];
        const auto value = static_cast<std::size_t>(std::atoll(argv[i + 1]));
        if (name == "--rows")
            settings.rows = value;
        else if (name == "--dim")
            settings.dim = value;
        else if (name == "--neighbors")
            settings.neighbors = value;
        else if (name == "--repeat")
            settings.repeat = static_cast<int>(value);
        else
            throw Error(ErrorKind::InvalidArgument, "expected --rows, --dim, --neighbors or --repeat, found " + name);
    }
    return settings;
}

void printStages(const Settings& settings, MatrixView real, MatrixView synthetic, const Ceilings& ceilings) {
    std::map<std::string, double> seconds;
    double products = 0.0;
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(std::make_unique<TimedDevice>(openDevice(0, 0), seconds, products));
    const DeviceSearch search(std::move(devices), 0, noFallback);
    audit(search, real, synthetic, settings.neighbors);
    seconds.clear();
    products = 0.0;
    const double all = audit(search, real, synthetic, settings.neighbors);
    double known = 0.0;
    std::printf(
        "\nStage by stage on the first card, nothing overlapping:\n\n| stage | seconds | of all |\n|---|---:|---:|\n");
    for (const auto& [name, spent] : seconds) {
        std::printf("| %s | %.4f | %.0f %% |\n", name.c_str(), spent, 100.0 * spent / all);
        known += spent;
    }
    std::printf("| the rest: the host's own work, allocation | %.4f | %.0f %% |\n| all | %.4f | |\n", all - known,
                100.0 * (all - known) / all, all);
    const double rate = products / seconds["tiles, selection and lists"];
    std::printf("\n| rate of products | Tmul-add/s | of cuBLAS on integers |\n|---|---:|---:|\n");
    const auto print = [&](const char* name, double found) {
        std::printf("| %s | %.1f | %.0f %% |\n", name, found / 1e12, 100.0 * found / ceilings.integers);
    };
    print("tiles with selection and lists", rate);
    print("cuBLAS alone, integers", ceilings.integers);
    print("cuBLAS alone, floats", ceilings.floats);
}

/// Median seconds of a step that waits for the card. The first one warms up.
template <typename Step>
double medianSeconds(int repeat, const Step& step) {
    step();
    std::vector<double> seconds;
    for (int r = 0; r < std::max(1, repeat); ++r) {
        const auto start = Clock::now();
        step();
        seconds.push_back(secondsSince(start));
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
}

/// The stages after the neighbours, once each.
void printDense(const Settings& settings, MatrixView real) {
    const auto device = openDevice(0, 0);
    const auto rows = static_cast<double>(real.rows);
    const auto dim = static_cast<double>(real.dim);
    std::printf("\nOne of each on the first card:\n\n| stage | seconds | Tmul-add/s |\n|---|---:|---:|\n");
    const auto print = [](const char* stage, double seconds, double work) {
        std::printf("| %s | %.4f | %.2f |\n", stage, seconds, work / seconds / 1e12);
    };
    const std::vector<double> mean(real.dim, 0.0);
    bool done = true;
    const double gram =
        medianSeconds(settings.repeat, [&] { done = gramOnDevice(*device, real, mean, {}, {}).has_value() && done; });
    if (done)
        print("Gram matrix in double precision, from host memory", gram, rows * dim * (dim + 1.0) / 2.0);
    const cuda::test::LayoutCase layout = cuda::test::layoutCase(2 * real.rows, 5);
    const LayoutPlan plan{200, 6};
    const double seconds = medianSeconds(settings.repeat, [&] {
        done = layoutOnDevice(*device, layout.graph, layout.start, plan, {}).has_value() && done;
    });
    std::printf("| layout of %zu rows in 200 rounds | %.4f | |\n", layout.start.size(), seconds);
    if (!done)
        std::puts("(too little memory for some)");
}

int run(const Settings& settings) {
    const DeviceList& list = deviceList();
    if (list.usable.empty()) {
        std::printf("SKIPPED: no graphics card. %s\n", list.missing.c_str());
        return 0;
    }
    const std::vector<float> a = gaussian(settings.rows * settings.dim, 1);
    const std::vector<float> b = gaussian(settings.rows * settings.dim, 2);
    const MatrixView real{a.data(), settings.rows, settings.dim};
    const MatrixView synthetic{b.data(), settings.rows, settings.dim};
    const DeviceSearch search(cuda::test::openDevices(0), 0, noFallback);
    std::printf("%s. Passes of an audit of %zu x %zu x %zu, k = %zu, balls of 5, from host memory:\n\n",
                search.hardware().c_str(), settings.rows, settings.rows, settings.dim, settings.neighbors);
    const double first = audit(search, real, synthetic, settings.neighbors);
    std::vector<double> seconds;
    for (int r = 0; r < settings.repeat; ++r)
        seconds.push_back(audit(search, real, synthetic, settings.neighbors));
    std::sort(seconds.begin(), seconds.end());
    std::printf("| run | seconds |\n|---|---:|\n| first, with the start of the card | %.4f |\n", first);
    if (!seconds.empty())
        std::printf("| median of %d more | %.4f |\n| fastest | %.4f |\n", settings.repeat, seconds[seconds.size() / 2],
                    seconds.front());
    printStages(settings, real, synthetic, measureCeilings(settings.dim, 10));
    printDense(settings, real);
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run(settingsFrom(argc, argv));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_cuda: %s\n", error.what());
        return 1;
    }
}
