#pragma once

#include "engine/base/job_context.h"
#include "engine/base/time_left.h"

#include <chrono>

namespace assay {

/// A one-line progress bar on standard error, with the time left once that can be told; drawn at most ten times a
/// second and wiped when done. Never longer than the terminal is wide: a line that wraps could not be wiped.
class ProgressBar {
public:
    /// @param visible false draws nothing
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

/// Progress as a line on standard error twice a minute, where that is no terminal but a person may read it: a launcher
/// collects what its processes write.
class ProgressLines {
public:
    /// @param visible false prints nothing
    explicit ProgressLines(bool visible) : visible_(visible) {}

    void show(const Progress& progress);

private:
    bool visible_;
    TimeLeft left_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

} // namespace assay
