#pragma once

#include "engine/gpu/device/device.h"

#include <memory>
#include <utility>

namespace assay::cuda::test {

/// Hands every call on: to be derived from by what looks at some of them.
class ForwardingDevice : public Device {
public:
    explicit ForwardingDevice(std::unique_ptr<Device> device) : device_(std::move(device)) {}

    const DeviceInfo& info() const noexcept override { return device_->info(); }
    std::size_t freeBytes() override { return device_->freeBytes(); }
    std::byte* allocate(std::size_t bytes) override { return device_->allocate(bytes); }
    void release(std::byte* memory) noexcept override { device_->release(memory); }
    void fill(void* to, int byte, std::size_t bytes) override { device_->fill(to, byte, bytes); }
    void copy(void* to, const void* from, std::size_t bytes) override { device_->copy(to, from, bytes); }
    void upload(void* to, const void* from, std::size_t bytes) override { device_->upload(to, from, bytes); }
    void download(void* to, const void* from, std::size_t bytes) override { device_->download(to, from, bytes); }
    void wait() override { device_->wait(); }
    void load(unsigned slot, const float* stored, float* rows, const PrepareJob& job) override {
        device_->load(slot, stored, rows, job);
    }
    void loadValues(unsigned slot, const float* stored, float* to, std::size_t count) override {
        device_->loadValues(slot, stored, to, count);
    }
    void waitForSlots(unsigned x, unsigned y) override { device_->waitForSlots(x, y); }
    void releaseSlots(unsigned x, unsigned y) override { device_->releaseSlots(x, y); }
    void setBallBounds(const SetState& set, double scale) override { device_->setBallBounds(set, scale); }
    void lowerReaches(const ReachJob& job) override { device_->lowerReaches(job); }
    void startRegion(const RegionJob& job) override { device_->startRegion(job); }
    Report finishRegion(const RegionJob& job) override { return device_->finishRegion(job); }
    std::uint32_t longestList(const SetState& set, Report* report) override {
        return device_->longestList(set, report);
    }
    void measureLists(const MeasureJob& job) override { device_->measureLists(job); }
    void measureUndecided(const RegionJob& job, std::uint32_t count) override { device_->measureUndecided(job, count); }
    void listPairs(const PairJob& job) override { device_->listPairs(job); }
    void addToGram(const GramJob& job) override { device_->addToGram(job); }
    void moveRows(const LayoutJob& job) override { device_->moveRows(job); }

protected:
    Device& device() { return *device_; }

private:
    std::unique_ptr<Device> device_;
};

} // namespace assay::cuda::test
