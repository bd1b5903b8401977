#pragma once

#include <atomic>
#include <cstdint>

namespace assay {

/// Counts the threads that run single tasks (engine/base/run_alongside.h), and lets workers wait until such a thread
/// frees its core. Thread-safe.
class CoreReservations {
public:
    unsigned count() const noexcept { return countOf(state_.load()); }
    void add() noexcept { ++state_; }
    void remove() noexcept {
        --state_;
        state_.notify_all();
    }

    /// Blocks until fewer than `limit` threads are counted, or until `over` is true. Set `over` before wake().
    void waitForFewer(unsigned limit, const std::atomic<bool>& over) const noexcept {
        for (std::uint64_t now = state_.load(); !over && countOf(now) >= limit; now = state_.load())
            state_.wait(now);
    }
    void wake() noexcept {
        state_ += kOneEvent; // waiting threads check `over` again only when state_ has changed
        state_.notify_all();
    }

private:
    static constexpr std::uint64_t kOneEvent = std::uint64_t{1} << 32;
    static unsigned countOf(std::uint64_t state) noexcept { return static_cast<unsigned>(state % kOneEvent); }

    std::atomic<std::uint64_t> state_ = 0; ///< lower half: the count; upper half: number of calls of wake()
};

} // namespace assay
