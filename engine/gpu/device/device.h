#pragma once

#include "engine/base/error.h"
#include "engine/gpu/device/pass_data.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace assay::cuda {

struct DeviceInfo {
    std::string name;           ///< "NVIDIA H200"
    std::size_t totalBytes = 0; ///< of memory
};

/// An allocation that failed. The search catches it and takes a smaller plan, or the CPU.
class OutOfDeviceMemory : public Error {
public:
    explicit OutOfDeviceMemory(const std::string& message) : Error(ErrorKind::NotEnoughMemory, message) {}
};

/// Share of the free memory that may be allocated. The rest is left to the driver and to other programs.
inline constexpr double kShareOfFree = 0.92;

/// One device: its memory, the kernels of the search and the dense kernels. Calls queue work, which runs in the order
/// of the calls; only wait(), upload(), download(), finishRegion() and longestList() wait for it. Used by one thread at
/// a time.
///
/// Every function throws Error{DeviceFailed} with the failed call and the driver's message.
class Device {
public:
    Device() = default;
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    virtual ~Device() = default;

    virtual const DeviceInfo& info() const noexcept = 0;
    virtual std::size_t freeBytes() = 0;

    /// Uninitialised memory, aligned to 256 bytes. @throws OutOfDeviceMemory
    virtual std::byte* allocate(std::size_t bytes) = 0;
    /// Waits for the queued work and frees the memory.
    virtual void release(std::byte* memory) noexcept = 0;

    virtual void fill(void* to, int byte, std::size_t bytes) = 0;
    virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
    /// Copies from host memory, which may change as soon as this returns.
    virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
    virtual void download(void* to, const void* from, std::size_t bytes) = 0;

    /// Copies values from host memory, concurrently with other queued work. @param slot number of the place they are
    /// copied to, for waitForSlots() and releaseSlots()
    virtual void loadValues(unsigned slot, const float* stored, float* to, std::size_t count) = 0;
    /// The same for rows, of which the operand of products and the bounds are made, too. @param stored job.count x
    /// job.dim values
    virtual void load(unsigned slot, const float* stored, float* rows, const PrepareJob& job) = 0;
    /// Waits for all queued work except loads.
    virtual void wait() = 0;
    /// Work queued after this call waits until both slots are loaded.
    virtual void waitForSlots(unsigned x, unsigned y) = 0;
    /// Later loads into these slots wait for the work queued before this call.
    virtual void releaseSlots(unsigned x, unsigned y) = 0;

    /// Computes the bounds of all balls of a set from their radii.
    virtual void setBallBounds(const SetState& set, double scale) = 0;
    /// Lowers the reaches of some rows to a bound that at least x.k sampled rows are within.
    virtual void lowerReaches(const ReachJob& job) = 0;
    /// Runs the tiles of a region. Then each list that takes part is pruned: its reach becomes the k-th smallest bound
    /// of its entries, and entries beyond it are dropped. A list that overflowed is restored to its state before the
    /// region, with the lower reach, and its row's level becomes wanted.level + 1.
    virtual void startRegion(const RegionJob& job) = 0;
    /// Waits for startRegion().
    virtual Report finishRegion(const RegionJob& job) = 0;
    /// Number of entries in the longest list of a set. Waits. @param report scratch memory on the device
    virtual std::uint32_t longestList(const SetState& set, Report* report) = 0;
    /// Measures list entries in double precision, merges them into the k-nearest tables and lowers the reaches.
    virtual void measureLists(const MeasureJob& job) = 0;
    /// Measures the first `count` undecided pairs and counts those inside balls.
    virtual void measureUndecided(const RegionJob& job, std::uint32_t count) = 0;

    /// Lists the pairs of a region that limits admit.
    virtual void listPairs(const PairJob& job) = 0;

    /// Adds the products of some rows to a Gram matrix.
    virtual void addToGram(const GramJob& job) = 0;
    /// Computes one round of a layout.
    virtual void moveRows(const LayoutJob& job) = 0;
};

/// The graphics cards of this machine that this build can use.
struct DeviceList {
    std::vector<DeviceInfo> usable; ///< in the order of openDevice()'s numbers
    std::string missing;            ///< a sentence that says why `usable` is empty
};

/// Queries the driver at the first call, which takes 0.1 s where there is one. Safe from any thread.
const DeviceList& deviceList();

/// @param threads for copies on the host, 0 for every core
/// @throws Error{DeviceFailed}
std::unique_ptr<Device> openDevice(std::size_t number, unsigned threads);

// Defined only in builds with CUDA (ASSAY_HAVE_CUDA). Code outside this folder calls the functions above.

/// The devices that the driver lists; none without a driver.
DeviceList findCudaDevices();
/// @param number in findCudaDevices().usable
std::unique_ptr<Device> openCudaDevice(std::size_t number, unsigned threads);

} // namespace assay::cuda
