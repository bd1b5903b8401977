#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string>

namespace assay {

/// Estimates the remaining time of a job from the fractions that it reports. Returns an estimate only when enough has
/// been observed.
///
/// The speed comes from a sliding window over the last part of the run, because the passes of a job differ in speed.
/// The projected end time is smoothed. The displayed value counts down in round steps; it rises only when it was
/// clearly too low. Call all functions on one thread; the caller passes the current time.
class TimeLeft {
public:
    using Clock = std::chrono::steady_clock;

    /// Records the job's progress. @param fraction in [0, 1] of the whole job; a smaller value than before starts a new
    /// job
    void report(Clock::time_point now, double fraction);

    /// The remaining time, rounded up to the step that timeLeftText() describes; 0 means a few seconds. Empty in the
    /// first two seconds, while too little has been observed, when the job makes no progress, and after the end.
    std::optional<std::chrono::seconds> estimate(Clock::time_point now);

    /// Forgets everything recorded so far.
    void reset() { *this = TimeLeft(); }

private:
    using Seconds = std::chrono::duration<double>;
    struct Sample {
        Clock::time_point time;
        double fraction;
    };

    std::optional<Seconds> measured(Clock::time_point now);
    Seconds smoothed(Clock::time_point now, Seconds left);

    Clock::time_point begun_{};
    std::deque<Sample> window_;
    std::optional<Clock::time_point> end_; ///< projected end, smoothed
    Clock::time_point smoothedAt_{};
    std::optional<std::chrono::seconds> shown_;
};

/// The remaining time in words: "a few seconds left", "about 40 s left" (steps of 5 s), "about 2 min 10 s left" (steps
/// of 10 s, from one minute on), "about 12 min left" (steps of 1 min, from five minutes on), "about 3 h 5 min left"
/// (steps of 5 min, from an hour on).
/// @param left as returned by TimeLeft::estimate
std::string timeLeftText(std::chrono::seconds left);

} // namespace assay
