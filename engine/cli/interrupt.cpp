#include "engine/cli/interrupt.h"

#include <csignal>
#include <system_error>

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

} // namespace assay
