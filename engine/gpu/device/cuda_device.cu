#include "engine/gpu/device/device.h"

#include "engine/base/parallel.h"
#include "engine/gpu/device/cuda_handles.cuh"
#include "engine/gpu/device/launches.h"
#include "engine/gpu/device/matrix_products.cuh"
#include "engine/gpu/device/pass_data.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace assay::cuda {
namespace {

/// Older cards lack instructions that the kernels use.
constexpr int kOldestMajor = 8;
constexpr std::size_t kStagingFloats = std::size_t{8} << 20; ///< 32 MiB, twice: one is filled while one is copied

int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}

/// Why a device cannot be used; empty where it can.
std::string obstacle(int device) {
    if (attribute(cudaDevAttrComputeCapabilityMajor, device) < kOldestMajor)
        return "is too old (compute capability 8.0 or later is needed)";
    if (attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device) < kSharedBytesNeeded)
        return "has too little shared memory";
    if (attribute(cudaDevAttrComputeMode, device) == cudaComputeModeProhibited)
        return "is closed to computing (compute mode)";
    return {};
}

std::string cublasMissing() {
    return CublasLibrary::fileName() + " of the CUDA Toolkit is missing.";
}

const CublasLibrary& requireCublas() {
    const CublasLibrary* library = CublasLibrary::load();
    if (library == nullptr)
        throw Error(ErrorKind::DeviceFailed, "CUDA: " + cublasMissing());
    return *library;
}

DeviceInfo infoOf(int device) {
    cudaDeviceProp properties{};
    requireSuccess(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties", "CUDA");
    return {properties.name, properties.totalGlobalMem};
}

/// Numbers that CUDA gives to the usable devices.
std::vector<int> usableDevices(int count) {
    std::vector<int> usable;
    for (int device = 0; device < count; ++device)
        if (obstacle(device).empty())
            usable.push_back(device);
    return usable;
}

class CudaDevice : public Device {
public:
    CudaDevice(int number, unsigned threads)
        : number_(number), threads_(threads), info_(infoOf(number)), compute_(streamHere()), copy_(streamHere()),
          products_(requireCublas(), compute_.get(), deviceName()) {
        ASSAY_CUDA_CALL(allowSharedMemory);
        report_ = makePinned<Report>(1, deviceName());
    }
    ~CudaDevice() override { cudaSetDevice(number_); }

    const DeviceInfo& info() const noexcept override { return info_; }

    std::size_t freeBytes() override {
        useDevice();
        std::size_t free = 0;
        std::size_t total = 0;
        ASSAY_CUDA_CALL(cudaMemGetInfo, &free, &total);
        return free;
    }

    std::byte* allocate(std::size_t bytes) override {
        useDevice();
        void* memory = nullptr;
        ASSAY_CUDA_CALL(cudaMalloc, &memory, bytes);
        return static_cast<std::byte*>(memory);
    }

    void release(std::byte* memory) noexcept override {
        // A failure here is sticky: the next call reports it.
        cudaSetDevice(number_);
        cudaStreamSynchronize(copy_.get());
        cudaStreamSynchronize(compute_.get());
        cudaFree(memory);
    }

    void fill(void* to, int byte, std::size_t bytes) override {
        useDevice();
        ASSAY_CUDA_CALL(cudaMemsetAsync, to, byte, bytes, compute_.get());
    }

    void copy(void* to, const void* from, std::size_t bytes) override {
        useDevice();
        ASSAY_CUDA_CALL(cudaMemcpyAsync, to, from, bytes, cudaMemcpyDeviceToDevice, compute_.get());
    }

    void upload(void* to, const void* from, std::size_t bytes) override {
        useDevice();
        ASSAY_CUDA_CALL(cudaMemcpyAsync, to, from, bytes, cudaMemcpyHostToDevice, compute_.get());
        // Loads run in another stream and read uploaded values.
        wait();
    }

    void download(void* to, const void* from, std::size_t bytes) override {
        useDevice();
        ASSAY_CUDA_CALL(cudaMemcpyAsync, to, from, bytes, cudaMemcpyDeviceToHost, compute_.get());
        wait();
    }

    void wait() override {
        useDevice();
        ASSAY_CUDA_CALL(cudaStreamSynchronize, compute_.get());
    }

    void loadValues(unsigned slot, const float* stored, float* to, std::size_t count) override {
        useDevice();
        Slot& place = slotAt(slot);
        ASSAY_CUDA_CALL(cudaStreamWaitEvent, copy_.get(), place.lastUse.get(), 0U);
        copyValues(stored, to, count);
        ASSAY_CUDA_CALL(cudaEventRecord, place.ready.get(), copy_.get());
    }

    void load(unsigned slot, const float* stored, float* rows, const PrepareJob& job) override {
        loadValues(slot, stored, rows, std::size_t{job.count} * job.dim);
        launchPrepare(job, copy_.get());
        ASSAY_CUDA_CALL(cudaGetLastError);
        ASSAY_CUDA_CALL(cudaEventRecord, slotAt(slot).ready.get(), copy_.get());
    }

    void waitForSlots(unsigned x, unsigned y) override {
        useDevice();
        for (const unsigned slot : {x, y})
            ASSAY_CUDA_CALL(cudaStreamWaitEvent, compute_.get(), slotAt(slot).ready.get(), 0U);
    }

    void releaseSlots(unsigned x, unsigned y) override {
        useDevice();
        for (const unsigned slot : {x, y})
            ASSAY_CUDA_CALL(cudaEventRecord, slotAt(slot).lastUse.get(), compute_.get());
    }

    void setBallBounds(const SetState& set, double scale) override { queue(launchBalls, set, scale); }
    void lowerReaches(const ReachJob& job) override {
        multiplyTile({job.a.operand, job.sample.operand, job.paddedDim, job.precision},
                     {job.begin, job.end, 0, job.sample.count}, job.bounds);
        queue(launchLowerReaches, job);
    }

    void startRegion(const RegionJob& job) override {
        fill(job.report, 0, sizeof(Report));
        for (const Region& tile : tilesOf(job.region, job.diagonal, job.productValues)) {
            multiplyTile({job.a.operand, job.b.operand, job.paddedDim, job.precision}, tile, job.products);
            queue(launchSelect, job, tile);
        }
        Report* report = job.report;
        const Region& region = job.region;
        if (job.wanted.neighbors && job.x.k > 0)
            queue(launchPrune, PruneJob{.set = job.x,
                                        .other = job.y,
                                        .first = job.a.first + region.xBegin,
                                        .count = region.xEnd - region.xBegin,
                                        .wanted = job.wanted,
                                        .overflow = &report->overflowX,
                                        .unmeasured = &report->unmeasuredX,
                                        .longest = &report->longest});
        // On the diagonal both sides are the same lists.
        if (job.wanted.neighbors && job.y.k > 0 && !(job.diagonal && region.xBegin == region.yBegin))
            queue(launchPrune, PruneJob{.set = job.y,
                                        .other = job.x,
                                        .first = job.b.first + region.yBegin,
                                        .count = region.yEnd - region.yBegin,
                                        .wanted = job.wanted,
                                        .overflow = &report->overflowY,
                                        .unmeasured = &report->unmeasuredY,
                                        .longest = &report->longest});
        ASSAY_CUDA_CALL(cudaMemcpyAsync, report_.get(), report, sizeof(Report), cudaMemcpyDeviceToHost, compute_.get());
    }

    Report finishRegion(const RegionJob& /*job*/) override {
        wait();
        return *report_;
    }

    std::uint32_t longestList(const SetState& set, Report* report) override {
        fill(report, 0, sizeof(Report));
        queue(launchLongest, set, &report->longest);
        std::uint32_t longest = 0;
        download(&longest, &report->longest, sizeof longest);
        return longest;
    }

    void measureLists(const MeasureJob& job) override { queue(launchMeasure, job); }
    void measureUndecided(const RegionJob& job, std::uint32_t count) override { queue(launchUndecided, job, count); }
    void listPairs(const PairJob& job) override {
        fill(job.count, 0, sizeof *job.count);
        for (const Region& tile : tilesOf(job.region, false, job.productValues)) {
            multiplyTile({job.x, job.y, job.paddedDim, Precision::Integer}, tile, job.products);
            queue(launchListPairs, job, tile);
        }
    }
    void addToGram(const GramJob& job) override { queue(launchGram, job); }
    void moveRows(const LayoutJob& job) override { queue(launchLayout, job); }

private:
    struct Slot {
        Event ready;   ///< its rows are there
        Event lastUse; ///< the last work that reads them is done
    };
    struct Staging {
        Pinned<float> memory;
        Event copied; ///< it may be filled again
    };

    const std::string& deviceName() const noexcept { return info_.name; }

    void multiplyTile(const Operands& operands, const Region& tile, void* product) {
        useDevice();
        products_.queue(operands, tile, product);
    }

    /// The current device is a property of the thread.
    void useDevice() const { ASSAY_CUDA_CALL(cudaSetDevice, number_); }

    template <typename Launch, typename... Arguments>
    void queue(Launch launch, const Arguments&... arguments) {
        useDevice();
        launch(arguments..., compute_.get());
        ASSAY_CUDA_CALL(cudaGetLastError);
    }

    Stream streamHere() const {
        useDevice();
        return makeStream(deviceName());
    }

    Slot& slotAt(unsigned slot) {
        while (slots_.size() <= slot)
            slots_.push_back({makeEvent(deviceName()), makeEvent(deviceName())});
        return slots_[slot];
    }

    /// Copies through pinned memory, filled by several threads: the source is pageable memory or a mapped file.
    void copyValues(const float* from, float* to, std::size_t count) {
        for (std::size_t done = 0; done < count;) {
            Staging& staging = staging_[nextStaging_];
            nextStaging_ = (nextStaging_ + 1) % staging_.size();
            if (!staging.memory)
                staging = {makePinned<float>(kStagingFloats, deviceName()), makeEvent(deviceName())};
            ASSAY_CUDA_CALL(cudaEventSynchronize, staging.copied.get());
            const std::size_t part = std::min(kStagingFloats, count - done);
            fillStaging(staging.memory.get(), from + done, part);
            ASSAY_CUDA_CALL(cudaMemcpyAsync, to + done, staging.memory.get(), part * sizeof(float),
                            cudaMemcpyHostToDevice, copy_.get());
            ASSAY_CUDA_CALL(cudaEventRecord, staging.copied.get(), copy_.get());
            done += part;
        }
    }

    void fillStaging(float* to, const float* from, std::size_t count) const {
        constexpr std::size_t kPart = std::size_t{1} << 20;
        parallelFor((count + kPart - 1) / kPart, threads_, {}, [&](std::size_t part, unsigned) {
            const std::size_t first = part * kPart;
            std::memcpy(to + first, from + first, std::min(kPart, count - first) * sizeof(float));
        });
    }

    int number_;
    unsigned threads_;
    DeviceInfo info_;
    Stream compute_;
    Stream copy_;
    MatrixProducts products_;
    Pinned<Report> report_;
    std::vector<Slot> slots_;
    std::array<Staging, 2> staging_;
    std::size_t nextStaging_ = 0;
};

} // namespace

DeviceList findCudaDevices() {
    int count = 0;
    const cudaError_t result = cudaGetDeviceCount(&count);
    if (result != cudaSuccess) {
        cudaGetLastError();
        if (result == cudaErrorInsufficientDriver)
            return {{}, "The NVIDIA driver is missing or older than this build's CUDA needs."};
        if (result == cudaErrorNoDevice)
            return {{}, "The NVIDIA driver sees no device."};
        return {{}, std::string("The NVIDIA driver says: ") + cudaGetErrorString(result) + "."};
    }
    if (CublasLibrary::load() == nullptr)
        return {{}, cublasMissing()};
    DeviceList list;
    for (const int device : usableDevices(count))
        list.usable.push_back(infoOf(device));
    if (!list.usable.empty())
        return list;
    for (int device = 0; device < count; ++device)
        list.missing += (list.missing.empty() ? "" : " ") + infoOf(device).name + " " + obstacle(device) + ".";
    if (count == 0)
        list.missing = "The NVIDIA driver sees no device.";
    return list;
}

std::unique_ptr<Device> openCudaDevice(std::size_t number, unsigned threads) {
    int count = 0;
    requireSuccess(cudaGetDeviceCount(&count), "cudaGetDeviceCount", "CUDA");
    return std::make_unique<CudaDevice>(usableDevices(count).at(number), threads);
}

} // namespace assay::cuda
