#pragma once

#include "engine/job/error.h"
#include "engine/job/job_context.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>

namespace assay::test {

/// How long work may go on after a stop request: the contract's 100 ms, and more where sanitizers or a debug build slow
/// every step down. ThreadSanitizer makes a block of a matrix product, some 50 ms, take seconds.
inline constexpr std::chrono::milliseconds kStopBound {
#if defined(__SANITIZE_THREAD__)
    15000
#elif defined(__SANITIZE_ADDRESS__) || !defined(NDEBUG)
    1500
#else
    100
#endif
};

/// Runs `work`, asks it to stop after `after` and returns how long it went on from there; nothing when it ended before.
/// A busy machine may keep any thread waiting for a while, so the best of a few attempts counts.
inline std::optional<std::chrono::milliseconds> timeToStop(std::chrono::nanoseconds after,
                                                           const std::function<void(const JobContext&)>& work) {
    using Clock = std::chrono::steady_clock;
    std::optional<std::chrono::milliseconds> best;
    for (int attempt = 0; attempt < 5 && (!best || *best > kStopBound / 2); ++attempt) {
        std::stop_source source;
        Clock::time_point asked;
        std::jthread stopper([&] {
            std::this_thread::sleep_for(after);
            asked = Clock::now();
            source.request_stop();
        });
        bool cancelled = false;
        try {
            work(JobContext(source.get_token()));
        } catch (const Cancelled&) {
            cancelled = true;
        }
        const auto ended = Clock::now();
        stopper.join();
        if (!cancelled) {
            if (!best)
                return best;
            after -= after / 4; // the first attempt was a slow one, and by itself says nothing: asked earlier
            continue;
        }
        const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(ended - asked);
        best = best ? std::min(*best, waited) : waited;
    }
    return best;
}

} // namespace assay::test
