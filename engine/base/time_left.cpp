#include "engine/base/time_left.h"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

using namespace std::chrono_literals;
using Seconds = std::chrono::duration<double>;

// The first second is not typical: files are opened, kernels are chosen, memory is touched for the first time.
constexpr Seconds kWarmUp = 1s;
constexpr Seconds kMinObserved = 1s;
constexpr Seconds kShortestWindow = 4s;
constexpr Seconds kLongestWindow = 60s;
constexpr Seconds kLongestWatch = 20s;
constexpr Seconds kSmoothing = 2s;
constexpr Seconds kFewSeconds = 8s;
constexpr std::size_t kMinSamples = 4;
constexpr std::chrono::milliseconds kSampleInterval{100};

/// Rounds up to a step that shows how precise the estimate is.
std::chrono::seconds rounded(Seconds left) {
    if (left < kFewSeconds)
        return 0s;
    const double step = left <= 1min ? 5.0 : left <= 5min ? 10.0 : left <= 1h ? 60.0 : 300.0;
    return std::chrono::seconds(static_cast<std::int64_t>(std::ceil(left.count() / step) * step));
}

} // namespace

void TimeLeft::report(Clock::time_point now, double fraction) {
    if (!window_.empty() && fraction < window_.back().fraction)
        reset();
    if (window_.empty())
        begun_ = now;
    if (window_.size() > 1 && now - window_[window_.size() - 2].time < kSampleInterval)
        window_.back() = {now, fraction};
    else
        window_.push_back({now, fraction});
}

std::optional<TimeLeft::Seconds> TimeLeft::measured(Clock::time_point now) {
    const Seconds length = std::clamp(Seconds(now - begun_) / 3.0, kShortestWindow, kLongestWindow);
    const auto isPast = [&](const Sample& sample) {
        return Seconds(sample.time - begun_) < kWarmUp || Seconds(now - sample.time) > length;
    };
    // Keeps the newest sample before the window: it is the job's progress at the start of the window.
    while (window_.size() > 1 && isPast(window_[0]) && isPast(window_[1]))
        window_.pop_front();
    if (window_.size() < kMinSamples + 1)
        return std::nullopt;
    const Sample& from = isPast(window_[0]) ? window_[1] : window_[0];
    const double moved = window_.back().fraction - from.fraction;
    const Seconds observed = now - from.time;
    if (moved <= 0.0 || observed < kMinObserved)
        return std::nullopt;
    const Seconds left = observed * ((1.0 - window_.back().fraction) / moved);
    // An estimate of ten minutes needs more than one second of observation.
    const Seconds watched = Seconds(now - begun_) - kWarmUp;
    return watched < std::min(left / 60.0, kLongestWatch) ? std::nullopt : std::optional(left);
}

TimeLeft::Seconds TimeLeft::smoothed(Clock::time_point now, Seconds left) {
    const auto end = now + std::chrono::duration_cast<Clock::duration>(left);
    if (!end_)
        end_ = end;
    else
        end_ = *end_ + std::chrono::duration_cast<Clock::duration>(
                           Seconds(end - *end_) * (1.0 - std::exp(-Seconds(now - smoothedAt_) / kSmoothing)));
    smoothedAt_ = now;
    return std::max(Seconds(*end_ - now), Seconds(0));
}

std::optional<std::chrono::seconds> TimeLeft::estimate(Clock::time_point now) {
    if (window_.empty() || window_.back().fraction >= 1.0)
        return std::nullopt;
    const std::optional<Seconds> raw = measured(now);
    if (!raw)
        return std::nullopt;
    const Seconds left = smoothed(now, *raw);
    const std::chrono::seconds next = rounded(left);
    const bool clearlyMore = shown_ && left > 1.25 * Seconds(*shown_) + Seconds(3s) && next > *shown_;
    if (!shown_ || next < *shown_ || clearlyMore)
        shown_ = next;
    return shown_;
}

std::string timeLeftText(std::chrono::seconds left) {
    const auto total = left.count();
    if (total <= 0)
        return "a few seconds left";
    const auto pair = [](std::int64_t large, const char* largeUnit, std::int64_t small, const char* smallUnit) {
        const std::string text = std::to_string(large) + largeUnit;
        return small == 0 ? text : text + " " + std::to_string(small) + smallUnit;
    };
    const std::string amount = total < 60     ? std::to_string(total) + " s"
                               : total < 3600 ? pair(total / 60, " min", total % 60, " s")
                                              : pair(total / 3600, " h", total % 3600 / 60, " min");
    return "about " + amount + " left";
}

} // namespace assay
