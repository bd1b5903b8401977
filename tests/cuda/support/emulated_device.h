#pragma once

#include "engine/gpu/device/device.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <vector>

namespace assay::cuda::test {

/// How an emulated device behaves.
struct EmulatedOptions {
    std::size_t memory = std::size_t{1} << 30;
    std::size_t largestAllocation = ~std::size_t{0}; ///< more fails although it seems free, as fragmented memory does
    /// Share of the error that the bounds allow a product of floats, drawn at random for every product. 0: a plain sum
    /// of floats.
    double productError = 0.0;
    bool backwards = false; ///< pairs in the opposite order: threads come in no order
};

/// A device without a device: the steps of the kernels one after the other on the host, with the same decisions
/// (bounds.h, decide.h). Memory is poisoned, never exceeds what there is, and every step is checked to touch only
/// blocks that are loaded and were waited for.
class EmulatedDevice : public Device {
public:
    explicit EmulatedDevice(const EmulatedOptions& options = {});
    ~EmulatedDevice() override;

    const DeviceInfo& info() const noexcept override { return info_; }
    std::size_t freeBytes() override { return options_.memory; }
    std::byte* allocate(std::size_t bytes) override;
    void release(std::byte* memory) noexcept override;
    void fill(void* to, int byte, std::size_t bytes) override;
    void copy(void* to, const void* from, std::size_t bytes) override;
    void upload(void* to, const void* from, std::size_t bytes) override;
    void download(void* to, const void* from, std::size_t bytes) override;
    void loadValues(unsigned slot, const float* stored, float* to, std::size_t count) override;
    void load(unsigned slot, const float* stored, float* rows, const PrepareJob& job) override;
    void wait() override {}
    void waitForSlots(unsigned x, unsigned y) override;
    void releaseSlots(unsigned x, unsigned y) override;
    void setBallBounds(const SetState& set, double scale) override;
    void lowerReaches(const ReachJob& job) override;
    void startRegion(const RegionJob& job) override;
    Report finishRegion(const RegionJob& job) override;
    std::uint32_t longestList(const SetState& set, Report* report) override;
    void measureLists(const MeasureJob& job) override;
    void measureUndecided(const RegionJob& job, std::uint32_t count) override;
    void listPairs(const PairJob& job) override;
    void addToGram(const GramJob& job) override;
    void moveRows(const LayoutJob& job) override;

    // What happened, for tests.
    int regions = 0;   ///< that were run
    int repeated = 0;  ///< of those, for lists that had overflowed
    int ballParts = 0; ///< of those, for undecided pairs that had not fitted
    int loads = 0;
    long long candidates = 0;
    std::size_t largestUse = 0; ///< bytes

private:
    struct Pending {
        std::vector<float> stored;
        float* rows;
        std::optional<PrepareJob> prepare;
    };

    void requireInside(const void* memory, std::size_t bytes) const;
    float product(const std::byte* x, const std::byte* y, std::size_t columns, Precision precision);
    void decideTile(const RegionJob& job, const Region& tile);
    void runLoad(unsigned slot);
    static void prepare(const PrepareJob& job);
    void prune(const PruneJob& job);

    EmulatedOptions options_;
    DeviceInfo info_;
    std::mt19937 random_{12345};
    std::map<std::byte*, std::vector<std::byte>> pieces_;
    std::size_t used_ = 0;
    std::map<unsigned, Pending> pending_;
    std::set<unsigned> inUse_;
};

} // namespace assay::cuda::test
