#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string>

namespace assay {

/// Estimates how long a job will still take from the shares that it reports, and says so only when that is sound.
///
/// The speed is that of the last part of the run (a sliding window), because the passes of a job differ; the end that
/// follows from it is smoothed, and what is shown counts down in round steps and goes up only when it was clearly
/// wrong. Fed and asked on one thread; it has no clock of its own.
class TimeLeft {
public:
    using Clock = std::chrono::steady_clock;

    /// Takes news of the job. @param fraction in [0, 1] of the whole job; one that falls begins a new job
    void report(Clock::time_point now, double fraction);

    /// The time left, rounded up to a step that the estimate can bear (timeLeftText says which). 0 stands for a few
    /// seconds. Nothing in the first two seconds, while too little has been seen to tell, when nothing moves any more,
    /// and at the end.
    std::optional<std::chrono::seconds> estimate(Clock::time_point now);

    /// Forgets the job.
    void reset() { *this = TimeLeft(); }

private:
    using Seconds = std::chrono::duration<double>;
    struct Sample {
        Clock::time_point time;
        double fraction;
    };

    Seconds windowLength(Clock::time_point now) const;
    std::optional<Seconds> measured(Clock::time_point now);
    Seconds smoothed(Clock::time_point now, Seconds left);

    Clock::time_point begun_{};
    std::deque<Sample> window_;
    std::optional<Clock::time_point> end_; ///< smoothed
    Clock::time_point smoothedAt_{};
    std::optional<std::chrono::seconds> shown_;
};

/// In words: "a few seconds left", "about 40 s left" (in steps of 5 s), "about 2 min 10 s left" (of 10 s, from one
/// minute on), "about 12 min left" (from five minutes on), "about 3 h 5 min left" (of 5 min, from an hour on).
/// @param left as TimeLeft::estimate gives it
std::string timeLeftText(std::chrono::seconds left);

} // namespace assay
