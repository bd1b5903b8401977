#include "engine/io/pictures/file_pixels.h"

#include "engine/io/files/mapped_file.h"
#include "engine/io/files/refusal.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace assay {
namespace {

class FilePixels : public PixelSource {
public:
    FilePixels(const std::string& name, std::uint64_t offset)
        : descriptor_(::open(name.c_str(), O_RDONLY | O_CLOEXEC)), offset_(offset) {
        if (descriptor_ < 0 || ::fstat(descriptor_, &status_) != 0) {
            const int code = errno;
            if (descriptor_ >= 0)
                ::close(descriptor_);
            refuse(name, "a readable file", std::generic_category().message(code));
        }
    }
    ~FilePixels() override { ::close(descriptor_); }
    FilePixels(const FilePixels&) = delete;
    FilePixels& operator=(const FilePixels&) = delete;

    bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
        while (!into.empty()) {
            const ssize_t got = ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset_ + offset));
            if (got < 0 && errno == EINTR)
                continue;
            if (got <= 0)
                return false;
            offset += static_cast<std::uint64_t>(got);
            into = into.subspan(static_cast<std::size_t>(got));
        }
        return isUnchangedSince(status_, descriptor_);
    }

private:
    int descriptor_;
    std::uint64_t offset_;
    struct stat status_ {};
};

} // namespace

std::shared_ptr<const PixelSource> pixelsInFile(const std::string& name, std::uint64_t offset) {
    return std::make_shared<const FilePixels>(name, offset);
}

} // namespace assay
