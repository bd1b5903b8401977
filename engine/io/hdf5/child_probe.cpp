#include "engine/io/hdf5/child_probe.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

namespace assay {
namespace {

[[noreturn]] void runAsChild(const std::function<void()>& work, unsigned seconds) {
    // A crash of the child must trigger neither the program's own handlers nor a core dump.
    for (const int crash : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM})
        std::signal(crash, SIG_DFL);
    const rlimit noCore{0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
    alarm(seconds);
    try {
        work();
    } catch (...) { // the parent repeats the work and receives the exception
    }
    _exit(0); // skips destructors and buffered output that belong to the parent
}

} // namespace

bool completesInChildProcess(const std::function<void()>& work, unsigned seconds, const JobContext& job) {
    const pid_t child = fork();
    if (child == 0)
        runAsChild(work, seconds);
    if (child < 0)
        return true;
    int status = 0;
    const auto ended = [&](int options) {
        const pid_t found = waitpid(child, &status, options);
        return found == child || (found < 0 && errno != EINTR);
    };
    for (auto pause = std::chrono::microseconds(200); !ended(WNOHANG);
         pause = std::min(2 * pause, std::chrono::microseconds(10'000))) {
        if (job.stopRequested()) {
            kill(child, SIGKILL);
            while (!ended(0)) {
            }
            job.throwIfStopped();
        }
        std::this_thread::sleep_for(pause);
    }
    return WIFEXITED(status);
}

} // namespace assay
