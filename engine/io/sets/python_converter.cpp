#include "engine/io/sets/python_converter.h"

#include "engine/base/error.h"
#include "engine/base/sha256.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/refusal.h"
#include "engine/io/programs/child_process.h"
#include "engine/io/readers/format_table.h"

#include <fmt/format.h>

#include <fcntl.h>
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

struct Kind {
    std::string_view name;  ///< for messages
    std::string_view magic; ///< first bytes; empty where the ending alone tells: text, and HDF5 of a certain layout
    std::string_view ending;
};

constexpr std::string_view kArrowStream = "\xff\xff\xff\xff"; ///< tells little without the ending

constexpr std::array<Kind, 10> kKinds{{{"a Parquet file", "PAR1", ".parquet"},
                                       {"a Parquet file", "PARE", ".parquet"},
                                       {"an Arrow file", "ARROW1", ".arrow"},
                                       {"a Feather file", "ARROW1", ".feather"},
                                       {"a Feather file", "FEA1", ".feather"},
                                       {"a stream of Arrow", kArrowStream, ".arrow"},
                                       {"a MATLAB file", "MATLAB 5.0 MAT-file", ".mat"},
                                       {"JSON Lines", {}, ".jsonl"},
                                       {"JSON Lines", {}, ".ndjson"},
                                       {"an AnnData file", {}, ".h5ad"}}};
constexpr std::string_view kDataSet = "a data set of Hugging Face";
/// Ends of the names of the folder and the table that the converter writes beside an archive.
constexpr std::string_view kPictures = "_pictures";
constexpr std::string_view kLabels = "_labels.csv";

/// -B: Python's own cache would be left behind where a package is removed.
std::vector<std::string> argumentsOf(const PythonConverter& converter, const FileSpec& spec, const std::string& out) {
    std::vector<std::string> arguments{converter.python, "-B", converter.script, spec.file, out};
    if (!spec.key.empty())
        arguments.insert(arguments.end(), {"--key", spec.key});
    return arguments;
}

/// Hash of a file, or of all files of a folder, with their names.
std::string hashesOf(const std::string& place, const JobContext& job) {
    std::vector<std::string> files{place};
    if (fs::is_directory(place)) {
        files.clear();
        for (const fs::directory_entry& entry : fs::directory_iterator(place))
            if (entry.is_regular_file())
                files.push_back(entry.path().string());
        std::ranges::sort(files);
    }
    std::string hashes;
    for (const std::string& file : files)
        hashes += fs::path(file).filename().string() + ' ' + sha256OfFile(file, job.silent()) + '\n';
    return hashes;
}

/// Key of a cached conversion: a hash of the file, and of the script, another version of which may write something
/// else.
std::string keyOf(const FileSpec& spec, const PythonConverter& converter, const JobContext& job) {
    std::string hashes = spec.key + '\n' + hashesOf(spec.file, job);
    if (fs::exists(converter.script))
        hashes += hashesOf(converter.script, job);
    return sha256OfBytes(std::as_bytes(std::span(hashes)));
}

/// Named after the file, without what a key or a model's name is told by.
std::string archiveName(const FileSpec& spec) {
    const fs::path file(spec.file);
    std::string name = fs::is_directory(file) ? file.filename().string() : file.stem().string();
    std::ranges::replace_if(
        name, [](char c) { return c == ':' || c == '='; }, '_');
    return name + ".npz";
}

/// Files in a folder of a conversion, in place of the file that it was made from.
std::optional<SetFiles> keptIn(const fs::path& folder, const FileSpec& spec, SetFiles files) {
    const fs::path archive = folder / archiveName(spec);
    const std::string stem = (folder / archive.stem()).string();
    const std::string pictures = stem + std::string(kPictures);
    const bool hasPictures = fs::is_directory(pictures);
    const std::string table = stem + ".csv";
    if (!fs::exists(archive) && !hasPictures && !fs::exists(table))
        return std::nullopt;
    std::error_code ignored;
    fs::last_write_time(folder, fs::file_time_type::clock::now(), ignored); // it is used
    files.note = fmt::format("{}: converted by Python, and kept in {}", files.embeddings, folder.string());
    files.original = files.embeddings;
    files.embeddings = fs::exists(archive) ? archive.string() : hasPictures ? pictures : table;
    if (fs::exists(archive) && hasPictures && files.pictures.empty())
        files.pictures = pictures;
    if (const std::string labels = stem + std::string(kLabels);
        !fs::exists(archive) && fs::exists(labels) && files.labels.empty())
        files.labels = labels;
    return files;
}

/// Runs a program without a shell; its standard output and error go to a file.
/// @return its exit code, or -1 when it was ended by a signal
/// @throws Error{BadInput} when it cannot be started; Cancelled
int runProgram(const std::vector<std::string>& arguments, const std::string& log, const JobContext& job) {
    pid_t child = 0;
    {
        const Descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
        const Descriptor said(open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
        if (const int failure = startChild(
                child, arguments, {.input = nothing.number(), .output = said.number(), .error = said.number()});
            failure != 0)
            throw Error(ErrorKind::BadInput, fmt::format("{}: expected a Python that can be started, found: {}",
                                                         arguments.front(), std::generic_category().message(failure)));
    }
    int status = 0;
    const auto ended = [&](int options) {
        const pid_t found = waitpid(child, &status, options);
        return found == child || (found < 0 && errno != EINTR);
    };
    while (!ended(WNOHANG)) {
        if (job.stopRequested()) {
            kill(-child, SIGKILL); // with what it has started
            while (!ended(0)) {
            }
            job.throwIfStopped();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// A new folder that is there only as long as this.
class TemporaryFolder {
public:
    explicit TemporaryFolder(fs::path folder) : folder_(std::move(folder)) {
        fs::remove_all(folder_); // of a process of the same number that was killed
        fs::create_directory(folder_);
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const fs::path& path() const noexcept { return folder_; }

private:
    fs::path folder_;
};

/// Removes the conversions that were used longest ago, as far as all together take more than `most` bytes.
void trimConversions(const fs::path& folder, std::uintmax_t most, const fs::path& except) {
    struct Conversion {
        fs::path path;
        fs::file_time_type used;
        std::uintmax_t bytes = 0;
    };
    std::vector<Conversion> all;
    try {
        for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
            if (!entry.is_directory() || entry.path().has_extension()) // another run is at work there
                continue;
            Conversion one{entry.path(), entry.last_write_time()};
            for (const fs::directory_entry& file : fs::recursive_directory_iterator(entry.path()))
                one.bytes += file.is_regular_file() ? file.file_size() : 0;
            all.push_back(std::move(one));
        }
    } catch (const fs::filesystem_error&) { // another run removes them, too
        return;
    }
    std::ranges::sort(all, std::ranges::greater(), &Conversion::used);
    std::uintmax_t bytes = 0;
    for (const Conversion& one : all) {
        bytes += one.bytes;
        if (std::error_code ignored; bytes > most && one.path != except)
            fs::remove_all(one.path, ignored);
    }
}

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

/// @param last what Python said; a library's own error does not say which file it read
std::string failureText(const std::string& file, const PythonConverter& converter, int code, const std::string& last) {
    if (!last.empty())
        return (last.find(file) == std::string::npos ? file + ": " : std::string()) + printable(last, 2000);
    std::error_code failure;
    constexpr std::uintmax_t kNearlyNone = 1 << 16;
    const bool full = fs::space(converter.folder, failure).available < kNearlyNone && !failure;
    return fmt::format("{}: {} ended with exit code {}{}", file, converter.python, code,
                       full ? "; no space is left in " + converter.folder : "");
}

/// Runs work on files of a set that is converted. @throws Error in place of what the standard library throws
template <typename Work>
auto withErrorsOf(const SetFiles& files, const Work& work) {
    try {
        return work();
    } catch (const fs::filesystem_error& failure) {
        throw Error(ErrorKind::WriteFailed, fmt::format("{}: cannot be converted: {} ({})", files.embeddings,
                                                        failure.path1().string(), failure.code().message()));
    }
}

} // namespace

PythonConverter installedConverter(std::string python) {
    return {.python = std::move(python),
            .script = (programFolder() / ASSAY_CONVERT_FROM_BIN).lexically_normal().string(),
            .folder = conversionFolder()};
}

std::string patternsForPython() {
    std::string patterns;
    for (const Kind& kind : kKinds)
        if (const std::string pattern = fmt::format("*{}", kind.ending); patterns.find(pattern) == std::string::npos)
            patterns += (patterns.empty() ? "" : " ") + pattern;
    return patterns;
}

std::string kindForPython(const std::string& fileSpec) {
    try {
        const FileSpec spec = parseFileSpec(fileSpec);
        const fs::path path(spec.file);
        if (fs::is_directory(path))
            return fs::is_regular_file(path / "state.json") && fs::is_regular_file(path / "dataset_info.json")
                       ? std::string(kDataSet)
                       : std::string();
        if (!fs::is_regular_file(path)) // a pipe is read once
            return {};
        const InputFile input = InputFile::onDisk(spec.file);
        const std::string ending = path.extension().string();
        const auto isOf = [&](const Kind& kind) {
            return kind.magic.empty() ? kind.ending == ending : input.startsWith(kind.magic);
        };
        // Of kinds with the same first bytes the ending decides.
        const auto exact =
            std::ranges::find_if(kKinds, [&](const Kind& kind) { return isOf(kind) && kind.ending == ending; });
        const auto found = exact != kKinds.end() ? exact : std::ranges::find_if(kKinds, [&](const Kind& kind) {
            return isOf(kind) && kind.magic != kArrowStream;
        });
        return found == kKinds.end() ? std::string() : std::string(found->name);
    } catch (const std::exception&) { // the reader reports it
        return {};
    }
}

bool isReadInPart(const std::string& fileSpec) {
    return parseFileSpec(fileSpec).file.ends_with(".h5ad");
}

bool needsPython(const std::string& fileSpec) {
    return !kindForPython(fileSpec).empty();
}

std::string conversionCommand(const PythonConverter& converter, const std::string& fileSpec) {
    std::string command;
    for (const std::string& argument : argumentsOf(converter, parseFileSpec(fileSpec), "OUT.npz"))
        command += (command.empty() ? "" : " ") + argument;
    return command;
}

std::optional<SetFiles> keptConversion(const SetFiles& files, const PythonConverter& converter, const JobContext& job) {
    if (converter.folder.empty() || !needsPython(files.embeddings))
        return std::nullopt;
    const FileSpec spec = parseFileSpec(files.embeddings);
    return withErrorsOf(files,
                        [&] { return keptIn(fs::path(converter.folder) / keyOf(spec, converter, job), spec, files); });
}

namespace {

SetFiles converted(const SetFiles& files, const PythonConverter& converter, const JobContext& job) {
    const FileSpec spec = parseFileSpec(files.embeddings);
    std::error_code failure;
    fs::create_directories(converter.folder, failure);
    if (converter.folder.empty() || failure)
        throw Error(ErrorKind::WriteFailed, spec.file + ": expected a folder for the converted file, found none; set "
                                                        "XDG_CACHE_HOME to one");
    const fs::path target = fs::path(converter.folder) / keyOf(spec, converter, job);
    if (!keptIn(target, spec, files)) {
        // Another run may convert the same file: each writes its own, and the first one takes the name.
        const TemporaryFolder begun(fmt::format("{}.{}", target.string(), getpid()));
        const TemporaryFolder log(begun.path().string() + ".log");
        const std::string said = (log.path() / "said").string();
        const int code =
            runProgram(argumentsOf(converter, spec, (begun.path() / archiveName(spec)).string()), said, job);
        if (const std::string last = lastLineOf(said); code != 0)
            throw Error(ErrorKind::BadInput, failureText(spec.file, converter, code, last));
        fs::rename(begun.path(), target, failure);
        trimConversions(converter.folder, converter.mostBytes, target);
    }
    std::optional<SetFiles> made = keptIn(target, spec, files);
    if (!made)
        throw Error(ErrorKind::WriteFailed, fmt::format("{}: expected a converted file in {}, found {}", spec.file,
                                                        target.string(), failure ? failure.message() : "none"));
    made->note = fmt::format("{}: converted by {}", files.embeddings, conversionCommand(converter, files.embeddings));
    return *made;
}

} // namespace

SetFiles convertedByPython(SetFiles files, const PythonConverter& converter, const JobContext& job) {
    if (!needsPython(files.embeddings))
        return files;
    return withErrorsOf(files, [&] { return converted(files, converter, job); });
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
