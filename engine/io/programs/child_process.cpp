#include "engine/io/programs/child_process.h"

#include "engine/base/available_memory.h"
#include "engine/base/error.h"
#include "engine/io/files/refusal.h"
#include "engine/io/hdf5_program/protocol.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

extern char** environ;

namespace assay {

int startChild(pid_t& process, std::vector<std::string> command, const ChildStreams& streams) {
    posix_spawnattr_t attributes{};
    posix_spawn_file_actions_t actions{};
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&actions);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_adddup2(&actions, streams.input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, streams.output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, streams.error, STDERR_FILENO);
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (std::string& argument : command)
        arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    const int code = posix_spawnp(&process, arguments[0], &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return code;
}

std::filesystem::path programFolder() {
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}
namespace {

std::string systemMessage(int code) {
    return std::generic_category().message(code);
}

/// The same file under a number that is free in the program that is started, whose own begin with 0.
Descriptor checked(int number, const std::string& where) {
    const Descriptor low(number);
    Descriptor high(number < 0 ? number : fcntl(number, F_DUPFD_CLOEXEC, 3));
    if (high.number() < 0)
        refuse(where, "a readable file", systemMessage(errno));
    return high;
}

} // namespace

Descriptor::~Descriptor() {
    if (number_ >= 0)
        close(number_);
}

Descriptor descriptorOf(const InputFile& input) {
    if (input.isOnDisk())
        return checked(open(input.name().c_str(), O_RDONLY | O_CLOEXEC), input.name());
    Descriptor copy = checked(memfd_create("assay", MFD_CLOEXEC), input.name());
    for (std::span<const std::byte> left = input.memory(); !left.empty();) {
        const ssize_t written = write(copy.number(), left.data(), left.size());
        if (written < 0)
            refuse(input.name(), "a readable file", systemMessage(errno));
        left = left.subspan(static_cast<std::size_t>(written));
    }
    return copy;
}

std::string hdf5Program() {
    const std::filesystem::path bin = programFolder();
    std::vector<std::filesystem::path> folders{bin};
#if defined(ASSAY_LIBEXEC_FROM_BIN)
    folders.push_back((bin / ASSAY_LIBEXEC_FROM_BIN).lexically_normal());
#endif
    Dl_info library{};
    if (dladdr(reinterpret_cast<void*>(&hdf5Program), &library) != 0)
        folders.push_back(std::filesystem::path(library.dli_fname).parent_path());
    std::error_code failure;
    for (const std::filesystem::path& folder : folders)
        if (std::filesystem::exists(folder / hdf5::kProgram, failure))
            return (folder / hdf5::kProgram).string();
    return (bin / hdf5::kProgram).string();
}

Hdf5Process::Hdf5Process(const Descriptor& file, Hdf5Request request, std::uint64_t bytes, const JobContext& job,
                         const std::string& program)
    : request_(std::move(request)), bytes_(bytes), job_(job),
      message_(checked(memfd_create("assay", MFD_CLOEXEC), request_.where)) {
    std::array<int, 2> ends{-1, -1};
    const int failed = pipe2(ends.data(), O_CLOEXEC);
    output_ = checked(failed != 0 ? -1 : ends[0], request_.where);
    const Descriptor input = checked(failed != 0 ? -1 : ends[1], request_.where);
    // Its caller keeps the values, as floats perhaps.
    const std::size_t available = availableMemory();
    const std::size_t left = available - std::min<std::uint64_t>(available, bytes);
    const int code = startChild(
        process_,
        {program, request_.kind, request_.key, std::to_string(std::max(available / 4, left)), std::to_string(getpid())},
        {.input = file.number(), .output = input.number(), .error = message_.number()});
    if (code == 0)
        return;
    process_ = -1;
    if (code == ENOENT)
        refuse(
            request_.where, "a format that this build reads",
            "HDF5, which it was built without: install libhdf5-dev and build Assay again, or save the array as .npy");
    refuse(request_.where, "that " + program + " starts", systemMessage(code));
}

Hdf5Process::~Hdf5Process() {
    end(SIGKILL);
}

/// @param signal to end it by; 0 when it ends by itself @return as waitpid() says
int Hdf5Process::end(int signal) noexcept {
    int status = 0;
    if (process_ < 0)
        return status;
    if (signal != 0)
        kill(process_, signal);
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return status;
}

std::size_t Hdf5Process::readSome(std::span<std::byte> into) {
    constexpr int kMilliseconds = 20;
    while (process_ >= 0 && !into.empty()) {
        job_.throwIfStopped();
        pollfd waiting{output_.number(), POLLIN, 0};
        if (poll(&waiting, 1, kMilliseconds) <= 0)
            continue;
        const ssize_t got = read(output_.number(), into.data(), into.size());
        if (got > 0)
            return static_cast<std::size_t>(got);
        if (got < 0 && errno == EINTR)
            continue;
        if (const int status = end(0); status != 0)
            fail(status);
    }
    return 0;
}

std::string Hdf5Process::readAll() {
    std::string all;
    std::array<std::byte, 1 << 16> piece{};
    while (const std::size_t got = readSome(piece)) {
        makeRoomFor(all, got, request_.where);
        all.append(reinterpret_cast<const char*>(piece.data()), got);
    }
    return all;
}

/// Text that the program wrote to its standard error.
std::string Hdf5Process::message() const {
    std::string text(4096, '\0');
    const ssize_t length = pread(message_.number(), text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
    return text;
}

void Hdf5Process::fail(int status) const {
    if (WIFEXITED(status) && WEXITSTATUS(status) == hdf5::kRefused) {
        const std::string text = message();
        const std::size_t between = std::min(text.find('\0'), text.size());
        refuse(request_.where, text.substr(0, between),
               printable(text.substr(std::min(between + 1, text.size())), 400));
    }
    const std::string expected = request_.where + ": expected enough memory to unpack it, found that ";
    if (WIFEXITED(status) && WEXITSTATUS(status) == hdf5::kNoMemory) {
        const std::size_t needed = std::strtoull(message().c_str(), nullptr, 10);
        throw Error(ErrorKind::NotEnoughMemory,
                    expected + (needed > 0 ? "it takes " + bytesText(needed) + " for each part" : "it needs more"));
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) // by the system, or for a control group
        throw Error(ErrorKind::NotEnoughMemory,
                    expected + "the system ended " + hdf5::kProgram + ", as it does when memory runs out");
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        refuse(request_.where, "a whole HDF5 file", "one over which the HDF5 library takes too long");
    refuse(request_.where, "a whole HDF5 file", "one so damaged that the HDF5 library crashes over it");
}

} // namespace assay
