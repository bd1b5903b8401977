#include "engine/io/pictures/array_pictures.h"

#include "engine/io/archives/zip_archive.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/refusal.h"
#include "engine/io/numpy/npy_array.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

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

namespace {

constexpr std::uint64_t kManyBytes = std::uint64_t{64} << 20;

bool isChannels(std::uint64_t extent) {
    return extent == 1 || extent == 3 || extent == 4;
}

/// [N, channels, height, width], as PyTorch has pictures. Where both ends could be channels, they are last.
bool isChannelsFirst(const std::vector<std::uint64_t>& shape) {
    return shape.size() == 4 && isChannels(shape[1]) && !isChannels(shape[3]);
}

/// Puts the channels of each pixel side by side. @param shape channels first
void interleave(std::vector<std::uint8_t>& pixels, const std::vector<std::uint64_t>& shape) {
    const std::size_t channels = shape[1];
    const std::size_t area = shape[2] * shape[3];
    std::vector<std::uint8_t> one(channels * area);
    for (std::uint8_t* at = pixels.data(); at != pixels.data() + pixels.size(); at += one.size()) {
        for (std::size_t c = 0; c < channels; ++c)
            for (std::size_t i = 0; i < area; ++i)
                one[i * channels + c] = at[c * area + i];
        std::ranges::copy(one, at);
    }
}

/// Reads the array's pixels on demand. Null when they are few, or when the file does not store them uncompressed.
std::shared_ptr<const PixelSource> pixelsWhereTheyLie(const NpzEntry& entry, const InputFile& input) {
    const NpyHeader& header = *entry.header;
    const auto count = header.count();
    if (entry.bytes < kManyBytes || isChannelsFirst(header.shape) || header.order != NpyHeader::Order::C || !count ||
        entry.bytes != header.headerBytes + *count || !input.isOnDisk())
        return nullptr;
    const auto mapping = input.mapping() ? input.mapping() : MappedFile::open(input.name());
    const auto bytes = mapping ? storedEntry(mapping->bytes(), entry.index) : std::nullopt;
    if (!bytes || bytes->size() != entry.bytes)
        return nullptr;
    const auto offset = static_cast<std::uint64_t>(bytes->data() - mapping->bytes().data());
    return pixelsInFile(input.name(), offset + header.headerBytes);
}

/// @param pixels all of them, or their source
template <typename Pixels>
std::shared_ptr<const ImageStore> storeOf(Pixels pixels, const std::vector<std::uint64_t>& shape) {
    return std::make_shared<const ImageStore>(std::move(pixels), shape[0], shape[1], shape[2],
                                              shape.size() == 4 ? shape[3] : 1);
}

} // namespace

void requirePictures(const NpyHeader& header, const std::string& where) {
    const auto& shape = header.shape;
    const bool grey = shape.size() == 3;
    const bool colour = shape.size() == 4 && (isChannels(shape[3]) || isChannelsFirst(shape));
    const bool empty = std::find(shape.begin(), shape.end(), 0U) != shape.end();
    if (!header.type.isByte() || !(grey || colour) || empty)
        refuse(where, "pictures as uint8 [N, height, width] or [N, height, width, 1, 3 or 4 channels]", header.text());
}

std::shared_ptr<const ImageStore> readPictures(ByteSource& source, const NpyHeader& header, const std::string& where,
                                               const JobContext& job) {
    requirePictures(header, where);
    std::vector<std::uint8_t> pixels = readNpyBytes(source, header, where, job);
    if (!isChannelsFirst(header.shape))
        return storeOf(std::move(pixels), header.shape);
    interleave(pixels, header.shape);
    const auto& shape = header.shape;
    return storeOf(std::move(pixels), {shape[0], shape[2], shape[3], shape[1]});
}

std::shared_ptr<const ImageStore> readPictures(const NpzArchive& archive, const NpzEntry& entry, const InputFile& input,
                                               const JobContext& job) {
    const std::string where = archive.where(entry);
    requirePictures(*entry.header, where);
    if (auto source = pixelsWhereTheyLie(entry, input))
        return storeOf(std::move(source), entry.header->shape);
    const auto bytes = archive.open(entry);
    return readPictures(*bytes, readNpyHeader(*bytes, where), where, job);
}

} // namespace assay
