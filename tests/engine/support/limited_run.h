#pragma once

#include <QByteArray>
#include <QFile>
#include <QTemporaryFile>

#include <array>
#include <fcntl.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace assay::test {

/// How a program ended, and the most memory that it used.
struct LimitedRun {
    int exitCode = -1; ///< -1: ended by a signal
    long peakKiB = 0;
    QByteArray err;
};

/// Runs a program that gets 60 seconds of processor time, so that a hang ends.
inline LimitedRun runLimited(const std::vector<std::string>& command) {
    QTemporaryFile err;
    LimitedRun run;
    if (!err.open())
        return run;
    const QByteArray errName = QFile::encodeName(err.fileName());
    std::vector<char*> arguments;
    for (const std::string& argument : command)
        arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    // Not QProcess, which does not tell the memory; and between fork and exec only what is safe there.
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit seconds{60, 60};
        ::setrlimit(RLIMIT_CPU, &seconds);
        const int errFile = ::open(errName.constData(), O_WRONLY | O_TRUNC);
        const int nowhere = ::open("/dev/null", O_WRONLY);
        if (errFile < 0 || nowhere < 0 || ::dup2(errFile, 2) < 0 || ::dup2(nowhere, 1) < 0)
            ::_exit(127);
        ::execv(arguments[0], arguments.data());
        ::_exit(127);
    }
    int status = 0;
    rusage usage{};
    if (child < 0 || ::wait4(child, &status, 0, &usage) != child)
        return run;
    run.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    run.peakKiB = usage.ru_maxrss;
    run.err = err.readAll();
    return run;
}

} // namespace assay::test
