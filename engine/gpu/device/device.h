#pragma once

#include "engine/base/error.h"
#include "engine/gpu/device/dense_data.h"
#include "engine/gpu/device/pass_data.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace assay::cuda {

struct DeviceInfo {
    std::string name;           ///< "NVIDIA H200"
    std::size_t totalBytes = 0; ///< of memory
    std::string identity = {};  ///< the device's UUID, and the versions of the driver and of CUDA's runtime
};

/// Memory that the device does not have. Caught within the search: it takes less, or the CPU.
class OutOfDeviceMemory : public Error {
public:
    explicit OutOfDeviceMemory(const std::string& message) : Error(ErrorKind::NotEnoughMemory, message) {}
};

/// Some of what is free stays free: for the device's own needs, and for other programs that draw with it.
inline constexpr double kShareOfFree = 0.92;

/// One device: its memory, the steps of a pass of the search and those of dense work. Steps are queued and run in the
/// order of the calls; only wait(), download() and finishRegion() wait for them. Used by one thread at a time.
///
/// Failures of the device are Error{DeviceFailed}, naming the call and the device's own words.
class Device {
public:
    Device() = default;
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    virtual ~Device() = default;

    virtual const DeviceInfo& info() const noexcept = 0;
    virtual std::size_t freeBytes() = 0;

    /// One piece of memory, aligned to 256 bytes and not set. @throws OutOfDeviceMemory
    virtual std::byte* allocate(std::size_t bytes) = 0;
    /// Waits for what is queued and gives the memory back.
    virtual void release(std::byte* memory) noexcept = 0;

    virtual void fill(void* to, int byte, std::size_t bytes) = 0;
    virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
    /// From the host's memory, which may change as soon as this returns.
    virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
    virtual void download(void* to, const void* from, std::size_t bytes) = 0;

    /// Copies values from the host's memory, beside what else is queued. `slot` names their place: what useSlots() is
    /// told to wait for.
    virtual void loadValues(unsigned slot, const float* stored, float* to, std::size_t count) = 0;
    /// The same for rows, and rounds them. @param stored job.count x job.dim values
    virtual void load(unsigned slot, const float* stored, float* rows, const PrepareJob& job) = 0;
    /// Waits for everything that is queued, but for loads.
    virtual void wait() = 0;
    /// What is queued from here on waits until these slots are loaded.
    virtual void useSlots(unsigned x, unsigned y) = 0;
    /// What was queued so far was the last to read these slots: load() may change them after that.
    virtual void doneWithSlots(unsigned x, unsigned y) = 0;

    /// Sets the reaches of `count` balls from their radii.
    virtual void setBalls(const SetState& set, double scale) = 0;
    /// Lowers the reaches of some rows by a sample: x.k rows of it are within the new ones.
    virtual void prime(const PrimeJob& job) = 0;
    /// Runs the tiles of a region; then, for each list that took part: shortens it by what it holds, or, where it was
    /// too short, lowers its reach, restores it and raises its row's level to wanted.level + 1.
    virtual void startRegion(const RegionJob& job) = 0;
    /// Waits for startRegion().
    virtual Report finishRegion(const RegionJob& job) = 0;
    /// Entries in the longest list of a set. Waits. @param report one in device memory, for the device's own use
    virtual std::uint32_t longestList(const SetState& set, Report* report) = 0;
    /// Measures list entries, takes the k nearest into the tables and lowers the reaches by them.
    virtual void settle(const SettleJob& job) = 0;
    /// Measures the first `count` pairs in doubt and counts them.
    virtual void measureDoubts(const RegionJob& job, std::uint32_t count) = 0;

    /// Adds the products of some rows to a Gram matrix.
    virtual void addToGram(const GramJob& job) = 0;
    virtual void multiply(const ProductJob& job) = 0;
    virtual void takeLosses(const LossJob& job) = 0;
    virtual void addParts(const PartsJob& job) = 0;
    virtual void moveRows(const LayoutJob& job) = 0;
};

} // namespace assay::cuda
