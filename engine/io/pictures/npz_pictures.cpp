#include "engine/io/pictures/npz_pictures.h"

#include "engine/io/archives/zip_layout.h"
#include "engine/io/files/mapped_file.h"
#include "engine/io/files/refusal.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/pictures/file_pixels.h"

#include <algorithm>

namespace assay {
namespace {

constexpr std::uint64_t kManyBytes = std::uint64_t{64} << 20;

/// Reads the array's pixels on demand. Null when they are few, or when the file does not store them uncompressed.
std::shared_ptr<const PixelSource> pixelsWhereTheyLie(const NpzEntry& entry, const InputFile& input) {
    const NpyHeader& header = *entry.header;
    const auto count = header.count();
    if (entry.bytes < kManyBytes || header.order != NpyHeader::Order::C || !count ||
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
    const bool colour = shape.size() == 4 && (shape[3] == 1 || shape[3] == 3 || shape[3] == 4);
    const bool empty = std::find(shape.begin(), shape.end(), 0U) != shape.end();
    if (!header.type.isByte() || !(grey || colour) || empty)
        refuse(where, "pictures as uint8 [N, height, width] or [N, height, width, 1, 3 or 4 channels]", header.text());
}

std::shared_ptr<const ImageStore> readPictures(ByteSource& source, const NpyHeader& header, const std::string& where,
                                               const JobContext& job) {
    requirePictures(header, where);
    return storeOf(readNpyBytes(source, header, where, job), header.shape);
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
