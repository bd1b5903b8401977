#include "engine/io/sets/python_converter.h"

#include "engine/base/error.h"
#include "engine/base/sha256.h"
#include "engine/io/files/file_hash.h"
#include "engine/io/files/file_spec.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/refusal.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

namespace assay {
namespace {

constexpr std::array<std::string_view, 5> kMagics{"PAR1", "PARE", "ARROW1", "FEA1", "MATLAB 5.0 MAT-file"};
/// Kinds without magic bytes of their own: text, and HDF5 of a certain layout.
constexpr std::array<std::string_view, 3> kEndings{".jsonl", ".ndjson", ".h5ad"};

std::vector<std::string> argumentsOf(const PythonConverter& converter, const FileSpec& spec, const std::string& out) {
    std::vector<std::string> arguments{converter.python, converter.script, spec.file, out};
    if (!spec.key.empty())
        arguments.insert(arguments.end(), {"--key", spec.key});
    return arguments;
}

/// Hash of a file, or of all files of a folder with their names.
std::string hashOf(const FileSpec& spec, const JobContext& job) {
    std::string hashes = spec.key + '\n';
    std::vector<std::string> files{spec.file};
    if (fs::is_directory(spec.file)) {
        files.clear();
        for (const fs::directory_entry& entry : fs::directory_iterator(spec.file))
            if (entry.is_regular_file())
                files.push_back(entry.path().string());
        std::ranges::sort(files);
    }
    for (const std::string& file : files)
        hashes += fs::path(file).filename().string() + ' ' + sha256OfFile(file, job.silent()) + '\n';
    return sha256OfBytes(std::as_bytes(std::span(hashes)));
}

/// Runs a program without a shell; its standard error goes to a file.
/// @return its exit code, or -1 when it was ended by a signal
/// @throws Error{BadInput} when it cannot be started; Cancelled
int runProgram(const std::vector<std::string>& arguments, const std::string& log, const JobContext& job) {
    std::vector<char*> pointers;
    pointers.reserve(arguments.size() + 1);
    for (const std::string& argument : arguments)
        pointers.push_back(const_cast<char*>(argument.c_str())); // posix_spawn's signature; it changes nothing
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
    // The threads of assay-score block what their watcher waits for; a child would inherit that.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    pid_t child = 0;
    const int failure = posix_spawnp(&child, pointers.front(), &files, &attributes, pointers.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (failure != 0)
        throw Error(ErrorKind::BadInput, fmt::format("{}: expected a Python that can be started, found: {}",
                                                     arguments.front(), std::generic_category().message(failure)));
    int status = 0;
    const auto ended = [&](int options) {
        const pid_t found = waitpid(child, &status, options);
        return found == child || (found < 0 && errno != EINTR);
    };
    while (!ended(WNOHANG)) {
        if (job.stopRequested()) {
            kill(child, SIGKILL);
            while (!ended(0)) {
            }
            job.throwIfStopped();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// A file that is there only as long as this is.
class TemporaryFile {
public:
    explicit TemporaryFile(fs::path file) : file_(std::move(file)) {}
    ~TemporaryFile() {
        std::error_code ignored;
        fs::remove(file_, ignored);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    std::string name() const { return file_.string(); }

private:
    fs::path file_;
};

/// The last line that is not empty: Python's errors end with what is wrong.
std::string lastLineOf(const std::string& file) {
    std::ifstream stream(file);
    std::string last;
    for (std::string line; std::getline(stream, line);)
        if (!line.empty())
            last = line;
    constexpr std::string_view kProgram = "assay: ";
    return last.starts_with(kProgram) ? last.substr(kProgram.size()) : last;
}

} // namespace

bool needsPython(const std::string& fileSpec) {
    try {
        const FileSpec spec = parseFileSpec(fileSpec);
        const fs::path path(spec.file);
        if (fs::is_directory(path))
            return fs::is_regular_file(path / "state.json") && fs::is_regular_file(path / "dataset_info.json");
        if (!fs::is_regular_file(path)) // a pipe is read once
            return false;
        const InputFile input = InputFile::onDisk(spec.file);
        return std::ranges::any_of(kMagics, [&](std::string_view magic) { return input.startsWith(magic); }) ||
               std::ranges::find(kEndings, path.extension().string()) != kEndings.end();
    } catch (const std::exception&) { // the reader reports it
        return false;
    }
}

std::string conversionCommand(const PythonConverter& converter, const std::string& fileSpec) {
    std::string command;
    for (const std::string& argument : argumentsOf(converter, parseFileSpec(fileSpec), "OUT.npz"))
        command += (command.empty() ? "" : " ") + argument;
    return command;
}

SetFiles convertedByPython(SetFiles files, const PythonConverter& converter, const JobContext& job) {
    if (!needsPython(files.embeddings))
        return files;
    const FileSpec spec = parseFileSpec(files.embeddings);
    std::error_code failure;
    fs::create_directories(converter.folder, failure);
    if (converter.folder.empty() || failure)
        throw Error(ErrorKind::WriteFailed, spec.file + ": expected a folder for the converted file, found none; set "
                                                        "XDG_CACHE_HOME to one");
    const fs::path out = fs::path(converter.folder) / (hashOf(spec, job) + ".npz");
    if (!fs::exists(out)) {
        // Another run may convert the same file: each writes its own, and the last one takes the name.
        const TemporaryFile begun(fmt::format("{}.{}.npz", out.string(), getpid()));
        const TemporaryFile log(begun.name() + ".log");
        const int code = runProgram(argumentsOf(converter, spec, begun.name()), log.name(), job);
        if (const std::string said = lastLineOf(log.name()); code != 0)
            throw Error(ErrorKind::BadInput,
                        said.empty() ? fmt::format("{}: {} ended with exit code {}", spec.file, converter.python, code)
                                     : printable(said, 2000));
        fs::rename(begun.name(), out);
    }
    files.note = fmt::format("{}: converted by {}", files.embeddings, conversionCommand(converter, files.embeddings));
    files.embeddings = out.string();
    return files;
}

std::string conversionFolder() {
    const auto valueOf = [](const char* name) {
        const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing here changes the environment
        return std::string(value == nullptr ? "" : value);
    };
    if (const std::string cache = valueOf("XDG_CACHE_HOME"); !cache.empty())
        return cache + "/assay/converted";
    const std::string home = valueOf("HOME");
    return home.empty() ? std::string() : home + "/.cache/assay/converted";
}

} // namespace assay
