#pragma once

#include "engine/base/job_context.h"
#include "engine/base/time_left.h"

#include <chrono>

namespace assay {

/// A progress bar of one line on standard error, with the remaining time once it can be estimated. Drawn at most ten
/// times per second and erased at the end. Never wider than the terminal, because a wrapped line could not be erased.
class ProgressBar {
public:
    /// @param visible false: draws nothing
    explicit ProgressBar(bool visible) : visible_(visible) {}
    ~ProgressBar() { wipe(); }
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    void show(const Progress& progress);
    void wipe();

private:
    bool visible_;
    bool drawn_ = false;
    TimeLeft left_;
    std::chrono::steady_clock::time_point last_{};
};

/// Prints progress as a line on standard error twice per minute. Used when standard error is not a terminal but a user
/// may read it, for example when a launcher collects the output of its processes.
class ProgressLines {
public:
    /// @param visible false: prints nothing
    explicit ProgressLines(bool visible) : visible_(visible) {}

    void show(const Progress& progress);

private:
    bool visible_;
    TimeLeft left_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

} // namespace assay
