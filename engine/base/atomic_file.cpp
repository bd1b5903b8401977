#include "engine/base/atomic_file.h"

#include "engine/base/error.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <random>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace assay {
namespace {

std::string randomSuffix() {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
    std::random_device device;
    std::uniform_int_distribution<std::size_t> pick(0, letters.size() - 1);
    std::string suffix = ".tmp-";
    for (int i = 0; i < 8; ++i)
        suffix += letters[pick(device)];
    return suffix;
}

std::string folderOf(const std::string& file) {
    const std::string folder = std::filesystem::path(file).parent_path().string();
    return folder.empty() ? "." : folder;
}

// Makes the new name, too, survive a power failure. Some file systems cannot do this; the file is complete anyway.
void flushFolder(const std::string& file) {
    const int folder = ::open(folderOf(file).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return;
    ::fsync(folder);
    ::close(folder);
}

} // namespace

bool isStream(const std::string& file) {
    struct stat existing {};
    return ::stat(file.c_str(), &existing) == 0 && (S_ISCHR(existing.st_mode) || S_ISFIFO(existing.st_mode));
}

int writeAll(int descriptor, std::span<const std::byte> bytes) noexcept {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR)
            return errno;
        bytes = bytes.subspan(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return 0;
}

void failWriting(const std::string& target, const std::string& what, int code) {
    const std::string reason = code == 0 ? "" : " (" + std::generic_category().message(code) + ")";
    throw Error(ErrorKind::WriteFailed, target + ": cannot be written: " + what + reason);
}

AtomicFile::AtomicFile(const std::string& target) : target_(target), destination_(target) {
    namespace fs = std::filesystem;
    std::error_code failure;
    if (target.empty())
        fail("a file name is needed", 0);
    if (const std::size_t end = target.find('\0'); end != std::string::npos)
        failWriting(target.substr(0, end), "its name holds a NUL there", 0);
    if (isStream(target)) {
        isStream_ = true;
        return;
    }
    if (fs::is_symlink(target, failure)) {
        const fs::path followed = fs::canonical(target, failure);
        if (failure)
            fail("the link cannot be followed", failure.value());
        destination_ = followed.string();
    }
    struct stat existing {};
    const bool replaces = ::stat(destination_.c_str(), &existing) == 0;
    if (replaces && !S_ISREG(existing.st_mode))
        fail(S_ISDIR(existing.st_mode) ? "it is a folder" : "it is not a regular file", 0);
    if (replaces &&
        ::access(destination_.c_str(), W_OK) != 0) // a new file could take its name, but somebody protected it
        fail("it is protected against writing", errno);
    do {
        temporary_ = destination_ + randomSuffix();
        descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ < 0)
        fail("nothing can be created in " + folderOf(destination_), errno);
    // Failing to keep unusual permissions is no reason to lose the data.
    if (replaces && ::fchmod(descriptor_, existing.st_mode & 07777) != 0)
        errno = 0;
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
    if (!committed_ && !isStream_)
        ::unlink(temporary_.c_str());
}

const std::string& AtomicFile::temporaryName() const {
    if (isStream_)
        fail("it is not a regular file", 0);
    return temporary_;
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    // Streams are opened at the first write: the reader of a pipe takes its closing for the end of the data.
    if (isStream_ && descriptor_ < 0)
        descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0)
        fail("it cannot be opened", errno);
    if (const int code = writeAll(descriptor_, bytes); code != 0)
        fail("writing failed", code);
}

void AtomicFile::flush() {
    if (flushed_ || isStream_)
        return;
    // A library may have replaced the temporary file by renaming its own, so flush the file that has this name now.
    const int named = ::open(temporary_.c_str(), O_WRONLY | O_CLOEXEC);
    if (named < 0)
        fail("the temporary is gone", errno);
    const int flushed = ::fsync(named) == 0 ? 0 : errno;
    ::close(named);
    if (flushed != 0)
        fail("flushing to the disk failed", flushed);
    const int closed = ::close(descriptor_) == 0 ? 0 : errno;
    descriptor_ = -1;
    if (closed != 0)
        fail("closing failed", closed);
    flushed_ = true;
}

void AtomicFile::commit() {
    flush();
    if (isStream_)
        return;
    if (::rename(temporary_.c_str(), destination_.c_str()) != 0)
        fail("the finished file cannot be given its name", errno);
    committed_ = true;
    flushFolder(destination_);
}

void AtomicFiles::add(const std::string& target, std::string_view text) {
    files_.push_back(std::make_unique<AtomicFile>(target));
    files_.back()->write(text);
    files_.back()->flush();
}

void AtomicFiles::commit() {
    for (const std::unique_ptr<AtomicFile>& file : files_)
        file->commit();
}

void ignoreFileSizeSignal() noexcept {
    std::signal(SIGXFSZ, SIG_IGN);
}

void writeFileAtomically(const std::string& target, std::string_view text) {
    AtomicFile file(target);
    file.write(text);
    file.commit();
}

namespace {

/// The same path without a trailing separator, which is not part of the folder's name.
std::filesystem::path withoutSeparator(const std::filesystem::path& target) {
    return target.has_filename() ? target : target.parent_path();
}

std::filesystem::path folderAround(const std::filesystem::path& target) {
    return target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
}

/// Flushes the file system that holds `folder`: one system call, however many files were written.
/// @return 0, or the error number
int flushFileSystem(const std::filesystem::path& folder) noexcept {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return errno;
    const int code = ::syncfs(descriptor) == 0 ? 0 : errno;
    ::close(descriptor);
    return code;
}

} // namespace

void requireNewFolder(const std::filesystem::path& target) {
    namespace fs = std::filesystem;
    const fs::path folder = withoutSeparator(target);
    std::error_code failure;
    if (folder.empty())
        failWriting(target.string(), "the name of a new folder is needed", 0);
    if (!fs::is_directory(folderAround(folder), failure))
        failWriting(target.string(), "there is no folder " + folderAround(folder).string(), 0);
    if (!fs::exists(fs::symlink_status(folder, failure)))
        return;
    if (!fs::is_directory(fs::symlink_status(folder, failure)))
        failWriting(target.string(), "expected a new folder, found a file of that name", 0);
    if (!fs::is_empty(folder, failure) || failure)
        failWriting(target.string(), "expected a new or an empty folder, found one with files", failure.value());
}

AtomicFolder::AtomicFolder(const std::filesystem::path& target) : target_(withoutSeparator(target)) {
    requireNewFolder(target);
    // With the usual permissions, as the system takes the mask off them: to ask for the mask is to change it, which
    // other threads would see.
    do {
        temporary_ = target_.string() + randomSuffix();
        if (::mkdir(temporary_.c_str(), 0777) == 0)
            return;
    } while (errno == EEXIST);
    failWriting(target_.string(), "nothing can be created in " + folderAround(target_).string(), errno);
}

AtomicFolder::~AtomicFolder() {
    std::error_code ignored;
    if (!committed_)
        std::filesystem::remove_all(temporary_, ignored);
}

void AtomicFolder::write(const std::string& name, std::string_view bytes) const {
    const int descriptor = ::open((temporary_ / name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0)
        failWriting(target_.string(), name + " cannot be created", errno);
    const int written = writeAll(descriptor, std::as_bytes(std::span(bytes)));
    const int closed = ::close(descriptor) == 0 ? 0 : errno;
    if (written != 0 || closed != 0)
        failWriting(target_.string(), "writing " + name + " failed", written != 0 ? written : closed);
}

void AtomicFolder::commit() {
    if (const int code = flushFileSystem(temporary_); code != 0)
        failWriting(target_.string(), "flushing to the disk failed", code);
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) // replaces an empty folder only
        failWriting(target_.string(), "the finished folder cannot be given its name", errno);
    committed_ = true;
    flushFileSystem(folderAround(target_));
}

namespace {

/// Device, number, size and time of a file; empty where there is none.
std::string stateOf(const std::string& file) {
    struct stat now {};
    if (::stat(file.c_str(), &now) != 0)
        return {};
    return fmt::format("{} {} {} {}.{:09}", now.st_dev, now.st_ino, now.st_size, now.st_mtim.tv_sec,
                       now.st_mtim.tv_nsec);
}

} // namespace

OpenedFile::OpenedFile(std::string file)
    : file_(std::move(file)), state_(stateOf(file_)), descriptor_(::open(file_.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0)
        throw Error(ErrorKind::BadInput, file_ + ": cannot be opened (" + std::generic_category().message(errno) + ")");
}

OpenedFile::~OpenedFile() {
    ::close(descriptor_);
}

void OpenedFile::lock() const {
    // Of the file that was opened, which all share who opened it; a file system without locks has none.
    while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
    if (stateOf(file_) != state_)
        throw Error(ErrorKind::WriteFailed,
                    file_ +
                        ": expected the file as it was opened, found it written by somebody else since; nothing was "
                        "written. Open it again, or write to another file");
}

} // namespace assay
