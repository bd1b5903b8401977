#include "engine/cli/interrupt.h"

#include <csignal>
#include <system_error>

namespace assay {
namespace {

sigset_t watchedSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    return signals;
}

/// Whether to ignore a Ctrl+C because the shell set it to be ignored, as for background jobs of a script. A signal sent
/// with kill() always counts.
bool isIgnoredByShell(const siginfo_t& info) {
    struct sigaction inherited {};
    return info.si_code == SI_KERNEL && sigaction(info.si_signo, nullptr, &inherited) == 0 &&
           inherited.sa_handler == SIG_IGN;
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
        if (stop_.stop_requested()) // second signal: end at once
            std::_Exit(128 + received);
        signal_ = received;
        stop_.request_stop();
    }
}

} // namespace assay
