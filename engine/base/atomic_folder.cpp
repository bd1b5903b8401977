#include "engine/base/atomic_folder.h"

#include "engine/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace assay {
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
    std::string pattern = target_.string() + ".tmp-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr)
        failWriting(target_.string(), "nothing can be created in " + folderAround(target_).string(), errno);
    temporary_ = pattern;
    // mkdtemp creates a private folder; the result gets the usual permissions.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    std::error_code ignored;
    std::filesystem::permissions(temporary_, static_cast<std::filesystem::perms>(0777 & ~mask), ignored);
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

} // namespace assay
