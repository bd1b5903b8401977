#include "engine/cli/interrupt.h"

#include <csignal>
#include <ctime>

namespace assay {
namespace {

sigset_t watchedSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM}) {
        struct sigaction inherited {};
        // What a shell told us to ignore (a job in the background of a script) stays ignored.
        if (sigaction(signal, nullptr, &inherited) == 0 && inherited.sa_handler != SIG_IGN)
            sigaddset(&signals, signal);
    }
    return signals;
}

} // namespace

Interrupt::Interrupt() {
    const sigset_t signals = watchedSignals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    watcher_ = std::jthread([this](const std::stop_token& ended) {
        const sigset_t watched = watchedSignals();
        const timespec wait{0, 20'000'000};
        while (!ended.stop_requested()) {
            const int received = sigtimedwait(&watched, nullptr, &wait);
            if (received <= 0)
                continue;
            if (stop_.stop_requested()) // asked twice: the person does not want to wait
                std::_Exit(128 + received);
            signal_ = received;
            stop_.request_stop();
        }
    });
}

Interrupt::~Interrupt() = default;

} // namespace assay
