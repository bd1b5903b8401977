#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace assay {

/// Progress of a job: `fraction` in [0, 1] of the whole job; `stage` is a short phrase such as "Finding nearest
/// neighbours of the real set".
struct Progress {
    double fraction = 0.0;
    std::string stage;
};

/// Receives progress on the thread that runs the job. May be empty: progress is then discarded.
using ProgressSink = std::function<void(const Progress&)>;

/// Passed to long-running engine code: lets the caller stop it, and lets the code report its progress.
///
/// A context covers a part [begin, end] of the whole job. Code reports 0 to 1 of its own work and needs no knowledge of
/// the work before and after it.
class JobContext {
public:
    JobContext() = default;
    explicit JobContext(std::stop_token stop, ProgressSink sink = {});

    /// Reports that the fraction `done` in [0, 1] of this context's part is finished. Call it on the job's own thread.
    /// @throws Cancelled when a stop was requested
    void checkpoint(double done) const;

    /// @throws Cancelled when a stop was requested. Safe from any thread.
    void throwIfStopped() const;
    bool stopRequested() const noexcept { return stop_.stop_requested(); }

    /// A context for the part of this one from `begin` to `end`, both in [0, 1]. Stage names are joined, as in "Scoring
    /// gan: comparing"; an empty `stage` adds nothing.
    JobContext part(std::string stage, double begin, double end) const;

    /// The part of step `index` of `count` equal steps.
    JobContext step(std::size_t index, std::size_t count, std::string stage = {}) const;

    /// Like part(), but the stage name is final: names of nested parts are not appended.
    JobContext phase(std::string stage, double begin, double end) const;

    /// A context with this stop token that reports no progress and counts no threads; for threads other than the job's
    /// own.
    JobContext silent() const;

    /// A copy that calls `onCheck` before each check for a stop request, on the checking thread. Tests use it to
    /// request a stop at that moment, because workers and silent() contexts report no progress.
    JobContext withCheckCallback(std::function<void()> onCheck) const;

private:
    std::stop_token stop_;
    ProgressSink sink_;
    std::string stage_;
    std::shared_ptr<const std::function<void()>> onCheck_; ///< null outside tests
    bool whole_ = false;                                   ///< nested parts do not append their stage names
    double begin_ = 0.0;
    double end_ = 1.0;
};

/// Outcome of a process or of a part of its work.
struct JobOutcome {
    int exitCode = 0;
    std::string message; ///< for the user; empty on success
};

} // namespace assay
