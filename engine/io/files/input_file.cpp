#include "engine/io/files/input_file.h"

#include "engine/base/error.h"
#include "engine/io/files/refusal.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

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

namespace {

constexpr std::size_t headBytes = 4096;

class FileSource : public ByteSource {
public:
    FileSource(const std::string& name, std::uint64_t offset, std::uint64_t size, std::uint64_t most)
        : name_(name), file_(std::fopen(name.c_str(), "rb")), size_(size), left_(most) {
        if (!file_ || ::fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) != 0)
            refuse(name_, "a readable file", std::generic_category().message(errno));
        // Callers read large pieces; a second buffer would only cost a copy.
        std::setvbuf(file_.get(), nullptr, _IONBF, 0);
    }
    std::uint64_t size() const noexcept override { return size_; }
    std::size_t readSome(std::span<std::byte> into) override {
        errno = 0;
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), left_));
        const std::size_t got = std::fread(into.data(), 1, wanted, file_.get());
        if (got == 0 && std::ferror(file_.get()))
            refuse(name_, "a readable file", std::generic_category().message(errno));
        left_ -= got;
        return got;
    }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::string name_;
    std::unique_ptr<std::FILE, Close> file_;
    std::uint64_t size_;
    std::uint64_t left_;
};

class MemorySource : public ByteSource {
public:
    /// @param owned owner of the bytes, unless it is the caller
    explicit MemorySource(std::span<const std::byte> bytes, std::vector<std::byte> owned = {})
        : owned_(std::move(owned)), bytes_(bytes), size_(bytes.size()) {}
    std::uint64_t size() const noexcept override { return size_; }
    std::size_t readSome(std::span<std::byte> into) override {
        const std::size_t count = std::min(into.size(), bytes_.size());
        std::copy_n(bytes_.begin(), count, into.begin());
        bytes_ = bytes_.subspan(count);
        return count;
    }

private:
    std::vector<std::byte> owned_;
    std::span<const std::byte> bytes_;
    std::size_t size_;
};

std::size_t readUpTo(ByteSource& source, std::span<std::byte> into) {
    std::size_t filled = 0;
    while (filled < into.size()) {
        const std::size_t got = source.readSome(into.subspan(filled));
        if (got == 0)
            break;
        filled += got;
    }
    return filled;
}

} // namespace

std::unique_ptr<ByteSource> openBytes(std::vector<std::byte> bytes) {
    const std::span<const std::byte> view(bytes);
    return std::make_unique<MemorySource>(view, std::move(bytes));
}

void readExactly(ByteSource& source, std::span<std::byte> into, const std::string& where) {
    const std::size_t filled = readUpTo(source, into);
    if (filled < into.size())
        refuse(where, "at least " + std::to_string(into.size() - filled) + " more bytes",
               "the end of the data: it is truncated");
}

void expectEnd(ByteSource& source, const std::string& where) {
    std::byte extra{};
    if (source.readSome({&extra, 1}) != 0)
        refuse(where, "the end of the data", "further bytes after the array");
}

InputFile InputFile::onDisk(const std::string& name, std::uint64_t mapFrom) {
    namespace fs = std::filesystem;
    std::error_code failure;
    const fs::file_status status = fs::status(name, failure);
    if (status.type() == fs::file_type::not_found)
        refuse(name, "a file", "nothing of that name");
    if (failure)
        refuse(name, "a readable file", failure.message());
    if (fs::is_directory(status))
        return InputFile(name, Kind::Directory);
    if (!fs::is_regular_file(status))
        refuse(name, "a regular file", "a device, pipe or socket");

    InputFile input(name, Kind::File);
    input.size_ = fs::file_size(name, failure);
    if (failure)
        refuse(name, "a readable file", failure.message());
    if (input.size_ >= mapFrom)
        input.mapping_ = MappedFile::open(name);
    if (input.mapping_) {
        input.kind_ = Kind::Memory;
        input.takeMemory(input.mapping_->bytes());
        return input;
    }
    const auto source = input.open();
    input.head_.resize(headBytes);
    input.head_.resize(readUpTo(*source, input.head_));
    return input;
}

InputFile InputFile::inMemory(std::string name, std::span<const std::byte> bytes) {
    InputFile input(std::move(name), Kind::Memory);
    input.takeMemory(bytes);
    return input;
}

void InputFile::takeMemory(std::span<const std::byte> bytes) {
    memory_ = bytes;
    size_ = bytes.size();
    const auto head = bytes.first(std::min(bytes.size(), headBytes));
    head_.assign(head.begin(), head.end());
}

bool InputFile::startsWith(std::string_view magic) const noexcept {
    return head_.size() >= magic.size() && std::memcmp(head_.data(), magic.data(), magic.size()) == 0;
}

std::unique_ptr<ByteSource> InputFile::open() const {
    // Also reads bytes that were appended after the file was opened, so that the change is detected.
    return kind_ == Kind::Memory
               ? openSection(0, size_)
               : std::make_unique<FileSource>(name_, 0, size_, std::numeric_limits<std::uint64_t>::max());
}

std::unique_ptr<ByteSource> InputFile::openSection(std::uint64_t offset, std::uint64_t bytes) const {
    if (kind_ == Kind::Memory)
        return std::make_unique<MemorySource>(memory_.subspan(offset, bytes));
    return std::make_unique<FileSource>(name_, offset, bytes, bytes);
}

std::string_view pictureEnding(std::string_view name) {
    constexpr std::array<std::string_view, 8> endings{".png", ".jpg", ".jpeg", ".webp",
                                                      ".bmp", ".gif", ".tif",  ".tiff"};
    for (const std::string_view ending : endings)
        if (name.size() > ending.size() &&
            std::ranges::equal(name.substr(name.size() - ending.size()), ending,
                               [](unsigned char a, unsigned char b) { return std::tolower(a) == b; }))
            return name.substr(name.size() - ending.size());
    return {};
}

void visitFiles(const std::filesystem::path& folder, std::error_code& failure,
                const std::function<bool(const std::filesystem::path& file)>& visit) {
    std::filesystem::recursive_directory_iterator at(folder, failure);
    for (const std::filesystem::recursive_directory_iterator end; !failure && at != end; at.increment(failure)) {
        std::error_code ignored;
        if (at->path().filename().string().starts_with('.'))
            at.disable_recursion_pending();
        else if (at->is_regular_file(ignored) && !visit(at->path()))
            return;
    }
}

namespace {

// Hashing 1 MiB takes about one millisecond, so a stop request takes effect at once.
constexpr std::size_t pieceBytes = std::size_t{1} << 20;

} // namespace

std::string sha256OfFile(const std::string& file, const JobContext& job) {
    const InputFile input = InputFile::onDisk(file);
    if (input.isDirectory())
        refuse(file, "a file", "a folder");
    const auto source = input.open();
    const auto total = static_cast<double>(std::max<std::uint64_t>(input.size(), 1));
    std::vector<std::byte> piece(pieceBytes);
    Sha256 hash;
    double done = 0.0;
    while (const std::size_t got = source->readSome(piece)) {
        hash.add(std::span(piece).first(got));
        done += static_cast<double>(got);
        job.checkpoint(done / total);
    }
    job.checkpoint(1.0);
    return hash.hex();
}

} // namespace assay
