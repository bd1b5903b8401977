#include "engine/store/opened_file.h"

#include "engine/base/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace assay {
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
