#pragma once

#include "engine/base/job_context.h"
#include "engine/io/files/input_file.h"

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
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

/// File descriptor that no other program inherits. The destructor closes it.
class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor();
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    int number() const noexcept { return number_; }

private:
    int number_;
};

/// Opens the file, or copies bytes that are only in memory to one without a name.
/// @throws Error{BadInput}
Descriptor descriptorOf(const InputFile& input);

/// A request to the program assay-hdf5.
struct Hdf5Request {
    const char* kind = ""; ///< hdf5::kList, kValues or kTexts
    std::string key;
    std::string where; ///< file, or file and key, for messages
};

/// Path of assay-hdf5: in the folder of the running program (in a build tree), in libexec where that is installed, or
/// in the folder of the library that this code is in, as the module for Python is.
std::string hdf5Program();

/// A run of the program assay-hdf5: its output is the source's bytes. A damaged file can crash it, but not its caller.
class Hdf5Process : public ByteSource {
public:
    /// @param bytes number of bytes to be read; the program may write more or fewer
    /// @param job must outlive this object
    /// @throws Error{BadInput} when the program is missing or cannot be started
    Hdf5Process(const Descriptor& file, Hdf5Request request, std::uint64_t bytes, const JobContext& job,
                const std::string& program = hdf5Program());
    /// Kills the program unless it has ended.
    ~Hdf5Process() override;
    Hdf5Process(const Hdf5Process&) = delete;
    Hdf5Process& operator=(const Hdf5Process&) = delete;

    std::uint64_t size() const noexcept override { return bytes_; }

    /// @throws Error{BadInput} with the program's reason; also when it crashed or took too long; NotEnoughMemory;
    /// within
    ///         20 ms of a stop request Cancelled
    std::size_t readSome(std::span<std::byte> into) override;

    /// Reads to the end. @throws as readSome()
    std::string readAll();

private:
    std::string message() const;
    [[noreturn]] void fail(int status) const;
    int end(int signal) noexcept;

    Hdf5Request request_;
    std::uint64_t bytes_;
    const JobContext& job_;
    Descriptor output_, message_;
    pid_t process_ = -1; ///< -1 after its end
};

} // namespace assay
