#include "engine/cli/signals.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace assay {
namespace {

bool isIgnored(int signal) {
    struct sigaction inherited {};
    return sigaction(signal, nullptr, &inherited) == 0 && inherited.sa_handler == SIG_IGN;
}

/// Ctrl+C, the end by a user or a system; a terminal that is gone (unless nohup has it ignored), a limit of processor
/// time, and what schedulers of clusters send before they kill.
sigset_t watchedSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    for (const int signal : {SIGHUP, SIGXCPU, SIGUSR1})
        if (!isIgnored(signal))
            sigaddset(&signals, signal);
    return signals;
}

/// Whether to ignore a Ctrl+C because the shell set it to be ignored, as for background jobs of a script. A signal sent
/// with kill() always counts.
bool isIgnoredByShell(const siginfo_t& info) {
    return info.si_code == SI_KERNEL && isIgnored(info.si_signo);
}

} // namespace

Interrupt::Interrupt() {
    const sigset_t signals = watchedSignals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    try {
        watcher_ = std::jthread([this](const std::stop_token& ended) { watch(ended); });
    } catch (const std::system_error&) { // no thread available: a signal then ends the process at once
        pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    }
}

void Interrupt::watch(const std::stop_token& ended) {
    const sigset_t watched = watchedSignals();
    const timespec wait{0, 20'000'000};
    while (!ended.stop_requested()) {
        siginfo_t info{};
        const int received = sigtimedwait(&watched, &info, &wait);
        if (received <= 0 || isIgnoredByShell(info))
            continue;
        if (stop_.stop_requested()) {
            if (received == SIGINT || received == SIGTERM) // a second one of a person: end at once
                std::_Exit(128 + received);
            continue; // the others come several times by themselves
        }
        signal_ = received;
        stop_.request_stop();
    }
}

namespace {

// The signal handlers call only async-signal-safe functions and need no state.

void print(std::string_view text) {
    if (write(STDERR_FILENO, text.data(), text.size()) < 0) { // nothing can be done about it
    }
}

/// Prints the name of the file if a line of the system's list of mappings is of an address:
/// "begin-end rights offset device inode          name".
bool printFileIn(std::string_view line, std::uintptr_t address) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    const char* last = line.data() + line.size();
    const char* dash = std::from_chars(line.data(), last, begin, 16).ptr;
    if (dash == last || std::from_chars(dash + 1, last, end, 16).ec != std::errc() || address < begin || address >= end)
        return false;
    for (int field = 0; field < 5; ++field)
        line.remove_prefix(std::min(line.find(' ') + 1, line.size()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    print(line); // may hold blanks
    return !line.empty();
}

/// Prints the name of the file that is mapped at an address. Reads the system's list of mappings, which is allowed in a
/// signal handler.
/// @return whether a file was found
bool printFileAt(std::uintptr_t address) {
    const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    std::array<char, 4096> piece;
    std::array<char, 8192> line;
    std::size_t length = 0;
    for (ssize_t got = 0; maps >= 0 && (got = read(maps, piece.data(), piece.size())) > 0;)
        for (const char c : std::string_view(piece.data(), static_cast<std::size_t>(got)))
            if (c != '\n')
                line[std::min(length++, line.size() - 1)] = c;
            else if (printFileIn({line.data(), std::min(std::exchange(length, 0), line.size())}, address))
                return true;
    return false;
}

void printAndExit(int, siginfo_t* info, void*) {
    print("assay-score: ");
    if (!printFileAt(reinterpret_cast<std::uintptr_t>(info->si_addr)))
        print("an input file");
    print(": expected a file that stays as it is while it is worked on, found that it was cut short or cannot be read "
          "any more\n");
    _exit(kLostInputExit);
}

void wipeAndExit(int signal, siginfo_t* info, void* context) {
    print("\r\033[K"); // the progress bar
    printAndExit(signal, info, context);
}

} // namespace

void exitOnLostInput() {
    struct sigaction action {};
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = isatty(STDERR_FILENO) == 1 ? wipeAndExit : printAndExit;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, nullptr);
}

void ignoreBrokenPipes() {
    std::signal(SIGPIPE, SIG_IGN); // NOLINT(cert-err33-c): cannot fail for a signal that exists
}

} // namespace assay
