#pragma once

#include "tests/cuda/support/forwarding_device.h"

#include <vector>

namespace assay::cuda::test {

/// Counts what a device is asked for.
class CountingDevice : public ForwardingDevice {
public:
    explicit CountingDevice(std::unique_ptr<Device> device) : ForwardingDevice(std::move(device)) {}

    int regions = 0;   ///< that were run
    int repeated = 0;  ///< of those, for lists that had overflowed
    int ballParts = 0; ///< of those, for undecided pairs that had not fitted
    int loads = 0;
    long long measured = 0; ///< entries of lists

    void loadValues(unsigned slot, const float* stored, float* to, std::size_t count) override {
        ++loads;
        ForwardingDevice::loadValues(slot, stored, to, count);
    }
    void load(unsigned slot, const float* stored, float* rows, const PrepareJob& job) override {
        ++loads;
        ForwardingDevice::load(slot, stored, rows, job);
    }
    void startRegion(const RegionJob& job) override {
        ++regions;
        repeated += job.wanted.level > 0 ? 1 : 0;
        ballParts += !job.wanted.neighbors && (job.x.k > 0 || job.y.k > 0) ? 1 : 0;
        ForwardingDevice::startRegion(job);
    }
    void measureLists(const MeasureJob& job) override {
        std::vector<std::uint32_t> counts(job.end - job.begin);
        download(counts.data(), job.x.count + job.a.first + job.begin, counts.size() * sizeof(std::uint32_t));
        for (const std::uint32_t count : counts)
            measured += count > job.above ? count : 0;
        ForwardingDevice::measureLists(job);
    }
};

} // namespace assay::cuda::test
