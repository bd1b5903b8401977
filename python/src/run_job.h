#pragma once

#include "engine/base/job_context.h"

#include <nanobind/nanobind.h>

#include <chrono>
#include <exception>
#include <future>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>

namespace assay::python {

/// Hands progress from the thread of a job to the one of Python.
class LatestProgress {
public:
    void set(const Progress& progress) {
        const std::lock_guard lock(mutex_);
        latest_ = progress;
    }
    std::optional<Progress> take() {
        const std::lock_guard lock(mutex_);
        return std::exchange(latest_, std::nullopt);
    }

private:
    std::mutex mutex_;
    std::optional<Progress> latest_;
};

/// Runs a job of the engine on a thread of its own while Python's thread waits without the interpreter lock, looks for
/// signals and calls `progress(fraction, stage)`. Ctrl+C, and an exception of `progress`, stop the job.
/// @param progress None for nobody
/// @throws whatever `work` throws; nanobind::python_error after a signal or an exception of `progress`
template <typename Work>
auto runJob(const nanobind::object& progress, const Work& work) {
    using Result = std::invoke_result_t<Work, const JobContext&>;
    constexpr std::chrono::milliseconds kWait{10};
    std::stop_source stop;
    LatestProgress latest;
    const JobContext job(stop.get_token(), [&latest](const Progress& now) { latest.set(now); });
    std::future<Result> result = std::async(std::launch::async, [&work, &job] { return work(job); });
    std::exception_ptr interrupted;
    const auto look = [&] {
        if (PyErr_CheckSignals() != 0)
            throw nanobind::python_error();
        const std::optional<Progress> now = latest.take();
        if (now && !progress.is_none())
            progress(now->fraction, now->stage);
    };
    {
        const nanobind::gil_scoped_release released;
        while (result.wait_for(kWait) != std::future_status::ready) {
            if (interrupted)
                continue;
            const nanobind::gil_scoped_acquire gil;
            try {
                look();
            } catch (...) {
                interrupted = std::current_exception();
                stop.request_stop();
            }
        }
    }
    if (interrupted)
        std::rethrow_exception(interrupted);
    return result.get();
}

} // namespace assay::python
