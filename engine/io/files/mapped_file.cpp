#include "engine/io/files/mapped_file.h"

#include "engine/io/files/refusal.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace assay {

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& name) {
    const int descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        refuse(name, "a readable file", std::generic_category().message(errno));
    // Uses the size of the open file, not of the file of that name: the name may refer to another file at any time.
    struct stat status {};
    const bool known = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
    const auto size = static_cast<std::size_t>(known ? status.st_size : 0);
    void* begin = known ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
    if (begin == MAP_FAILED) {
        close(descriptor);
        return nullptr;
    }
    // The file is first read from front to back (hash, check for NaN). Only advice: failure has no effect.
    madvise(begin, size, MADV_WILLNEED);
    return std::shared_ptr<const MappedFile>(
        new MappedFile(descriptor, status, {static_cast<const std::byte*>(begin), size}));
}

MappedFile::~MappedFile() {
    munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
    close(descriptor_);
}

void MappedFile::release(std::span<const std::byte> bytes) const noexcept {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const auto first = static_cast<std::size_t>(bytes.data() - bytes_.data());
    const std::size_t begin = (first + page - 1) / page * page;
    const std::size_t end = (first + bytes.size()) / page * page;
    if (begin < end)
        madvise(const_cast<std::byte*>(bytes_.data()) + begin, end - begin, MADV_DONTNEED);
}

bool isUnchangedSince(const struct stat& then, int descriptor) noexcept {
    struct stat now {};
    return fstat(descriptor, &now) == 0 && now.st_size == then.st_size && now.st_mtim.tv_sec == then.st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == then.st_mtim.tv_nsec;
}

} // namespace assay
