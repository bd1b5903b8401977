// Qt starts programs by clone() in shared memory. The interceptor of ThreadSanitizer then runs in the child, but
// changes the state of the parent, in which synchronisation is no longer seen and the next thread ends the process. So
// tests under ThreadSanitizer start programs by fork().
#include <cstdarg>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" int clone(int (*function)(void*), void* /*stack*/, int flags, void* argument, ...) noexcept {
    const pid_t child = fork();
    if (child == 0)
        _exit(function(argument));
    if (child > 0 && (flags & CLONE_PIDFD) != 0) {
        va_list rest;
        va_start(rest, argument);
        *va_arg(rest, int*) = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
        va_end(rest);
    }
    return child;
}
