#pragma once

#include <atomic>
#include <cstdint>

namespace assay {

/// Counts the threads that are set aside for single tasks, and lets others wait for the cores that they give back. Safe
/// from any thread.
class SetAside {
public:
    unsigned count() const noexcept { return countOf(state_.load()); }
    void add() noexcept { ++state_; }
    void remove() noexcept {
        --state_;
        state_.notify_all();
    }

    /// Returns when fewer than `limit` threads are set aside, or somebody said `over` and woke those who wait.
    void waitForFewer(unsigned limit, const std::atomic<bool>& over) const noexcept {
        for (std::uint64_t now = state_.load(); !over && countOf(now) >= limit; now = state_.load())
            state_.wait(now);
    }
    void wake() noexcept {
        state_ += kOneEvent; // who waits looks again only where something has changed
        state_.notify_all();
    }

private:
    static constexpr std::uint64_t kOneEvent = std::uint64_t{1} << 32;
    static unsigned countOf(std::uint64_t state) noexcept { return static_cast<unsigned>(state % kOneEvent); }

    std::atomic<std::uint64_t> state_ = 0; ///< the count, and above it how often somebody woke the others
};

} // namespace assay
