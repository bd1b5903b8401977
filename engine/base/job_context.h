#pragma once

#include "engine/base/set_aside.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace assay {

/// How far a job is: `fraction` in [0, 1] of the whole job, `stage` a short phrase such as "Finding nearest
/// neighbours of the real set".
struct Progress {
    double fraction = 0.0;
    std::string stage;
};

/// Receives progress on the thread that runs the job. May be empty.
using ProgressSink = std::function<void(const Progress&)>;

/// What long-running engine code is given: a way to be stopped and a way to say how far it is.
///
/// A context covers a part [begin, end] of the whole job, so that code reports 0..1 of its own work and knows nothing
/// of what runs before and after it.
class JobContext {
public:
    JobContext() = default;
    explicit JobContext(std::stop_token stop, ProgressSink sink = {});

    /// Reports that `done` in [0, 1] of this context's part is finished. Call from the job's own thread.
    /// @throws Cancelled when a stop was requested
    void checkpoint(double done) const;

    /// @throws Cancelled when a stop was requested. Safe from any thread.
    void throwIfStopped() const;
    bool stopRequested() const noexcept { return stop_.stop_requested(); }

    /// The part of this context from `begin` to `end`, both in [0, 1]. Stage names add up, "Scoring gan: comparing"; an
    /// empty one adds nothing.
    JobContext part(std::string stage, double begin, double end) const;

    /// The same, which reports its stage alone: the names of its own parts are not appended.
    JobContext phase(std::string stage, double begin, double end) const;

    /// The same stop token, and no progress: for threads beside the job's own.
    JobContext silent() const;

    /// The same, calling `onCheck` before each check for a stop request, on the thread that checks. Tests request a
    /// stop from it: workers and silent() parts report no progress at which they could.
    JobContext withCheckCallback(std::function<void()> onCheck) const;

    /// The same, counting the threads that are set aside for single tasks (engine/base/aside.h): loops on all cores
    /// leave them theirs.
    JobContext counting() const;
    /// Threads set aside at the moment, for this context and all parts of it.
    unsigned setAside() const noexcept { return setAside_ ? setAside_->count() : 0; }
    /// The counter itself; null where nobody counts.
    SetAside* counter() const noexcept { return setAside_.get(); }
    /// Counts one thread for as long as the returned object lives; null where nobody counts.
    std::shared_ptr<void> countOne() const;

private:
    std::stop_token stop_;
    ProgressSink sink_;
    std::string stage_;
    std::shared_ptr<SetAside> setAside_;
    std::shared_ptr<const std::function<void()>> onCheck_; ///< null outside tests
    bool whole_ = false;                                   ///< parts add nothing to the stage
    double begin_ = 0.0;
    double end_ = 1.0;
};

} // namespace assay
