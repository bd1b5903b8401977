#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

/// Standard streams of a child process. The parent keeps its own descriptors.
struct ChildStreams {
    int input;
    int output;
    int error;
};

/// Starts a program without a shell, in a process group of its own, which Ctrl+C on a terminal does not reach, and with
/// all signals as usual: threads of the parent may block some.
/// @param command the program, found in PATH where its name has no slash, and its arguments
/// @param process the child; the caller waits for it
/// @return 0, or the code (errno) of the failure
int startChild(pid_t& process, std::vector<std::string> command, const ChildStreams& streams);

/// Folder of the running program's file, where the programs that it starts lie too. Links are resolved; empty where the
/// system does not tell.
std::filesystem::path programFolder();

} // namespace assay
