#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace assay {

/// Turns Ctrl+C (SIGINT), SIGTERM, SIGHUP, SIGXCPU and SIGUSR1 into a stop request, so that nothing half-written stays;
/// a second SIGINT or SIGTERM ends the process at once. Construct it before any other thread starts: all threads then
/// inherit the blocked signals, and only its own thread receives them. When the system cannot start this thread,
/// signals have their default effect.
class Interrupt {
public:
    Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return stop_.get_token(); }
    /// Exit code that shells expect, 128 plus the signal's number: 130 after SIGINT, 143 after SIGTERM, 129 after
    /// SIGHUP.
    int exitCode() const { return 128 + signal_; }

private:
    void watch(const std::stop_token& ended);

    std::stop_source stop_;
    std::atomic<int> signal_ = 2;
    std::jthread watcher_;
};

/// Exit code when an input file becomes unreadable during the run; equal to the code for bad input.
inline constexpr int kLostInputExit = 3;

/// Installs a SIGBUS handler for mapped input files (MappedFile). The kernel raises SIGBUS when bytes of such a file
/// are gone, because the file was shortened or its disk failed. The handler prints a message with the file's name on
/// standard error and ends the process with kLostInputExit. It cannot return to the interrupted instruction, so use it
/// only in a program without other state. Outputs appear by renaming, so none is left incomplete.
void exitOnLostInput();

/// Ignores SIGPIPE: writing to a pipe without a reader then fails like writing to a full disk. Otherwise, the process
/// would end and leave temporary files and folders behind.
void ignoreBrokenPipes();

} // namespace assay
