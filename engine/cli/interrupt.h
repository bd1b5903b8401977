#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace assay {

/// Turns Ctrl+C (SIGINT) and SIGTERM into a stop request. Make it before any other thread starts, so that all of them
/// inherit the blocked signals and only its own thread receives them. Where the system has no thread to give, signals
/// do what they do to any program.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return stop_.get_token(); }
    /// 130 after SIGINT, 143 after SIGTERM: 128 and the signal's number, as shells expect.
    int exitCode() const { return 128 + signal_; }

private:
    void watch(const std::stop_token& ended);

    std::stop_source stop_;
    std::atomic<int> signal_ = 2;
    std::jthread watcher_;
};

} // namespace assay
