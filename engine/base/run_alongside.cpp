#include "engine/base/run_alongside.h"

#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace assay {
namespace {

std::atomic<int> running = 0;

/// At exit, libraries free memory that detached threads may still use. So the process ends before that.
void endBesideDetached(int status, void*) {
    if (running == 0)
        return;
    std::fflush(nullptr);
    _exit(status);
}

} // namespace

void runDetached(std::function<void()> call) {
    static const int registered = on_exit(endBesideDetached, nullptr);
    static_cast<void>(registered);
    auto counted = [call = std::move(call)]() mutable {
        call();
        call = nullptr; // with all that it owns
        --running;
    };
    ++running;
    try {
        std::thread(counted).detach();
    } catch (const std::system_error&) {
        counted();
    }
}

} // namespace assay
