#include "engine/base/available_memory.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/refusal.h"
#include "engine/io/pictures/array_pictures.h"
#include "engine/io/pictures/picture_sets.h"
#include "engine/io/readers/format_table.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>

namespace assay {
namespace {

/// Decompresses a gzip file while it is read. readSome() throws Error{BadInput} for damaged data.
class GzipSource : public ByteSource {
public:
    /// @param packed source at the first byte of the gzip file
    /// @param packedBytes size of the gzip file; limits the size of the decompressed data
    /// @param where start of error messages
    GzipSource(std::unique_ptr<ByteSource> packed, std::uint64_t packedBytes, std::string where)
        : packed_(std::move(packed)), packedBytes_(packedBytes), where_(std::move(where)), piece_(kPiece) {
        constexpr int gzipAlone = 16 + MAX_WBITS;
        if (inflateInit2(&stream_, gzipAlone) != Z_OK)
            throw std::bad_alloc();
    }
    ~GzipSource() override { inflateEnd(&stream_); }
    GzipSource(const GzipSource&) = delete;
    GzipSource& operator=(const GzipSource&) = delete;

    /// The most that the packed bytes can decompress to.
    std::uint64_t size() const noexcept override {
        constexpr std::uint64_t largestRatio = 1032;
        return packedBytes_ < std::numeric_limits<std::uint64_t>::max() / largestRatio ? packedBytes_ * largestRatio
                                                                                       : packedBytes_;
    }

    std::size_t readSome(std::span<std::byte> into) override {
        constexpr std::size_t most = std::size_t{1} << 30; // zlib counts in 32 bits
        into = into.first(std::min(into.size(), most));
        stream_.next_out = reinterpret_cast<Bytef*>(into.data());
        stream_.avail_out = static_cast<uInt>(into.size());
        while (!ended_ && stream_.avail_out == into.size() && !into.empty()) {
            if (!hasInput())
                refuse(where_, "more gzip data", "the end of the file: it is truncated");
            const int code = inflate(&stream_, Z_NO_FLUSH);
            if (code == Z_STREAM_END) { // of a member: several, one after the other, form one source
                ended_ = !hasInput();
                inflateReset(&stream_);
            } else if (code != Z_OK && code != Z_BUF_ERROR) {
                refuse(where_, "sound gzip data", "damaged data");
            }
        }
        return into.size() - stream_.avail_out;
    }

private:
    static constexpr std::size_t kPiece = std::size_t{64} << 10;

    /// Reads more packed bytes when all have been unpacked. @return false at their end
    bool hasInput() {
        if (stream_.avail_in == 0) {
            stream_.avail_in = static_cast<uInt>(packed_->readSome(piece_));
            stream_.next_in = reinterpret_cast<Bytef*>(piece_.data());
        }
        return stream_.avail_in > 0;
    }

    std::unique_ptr<ByteSource> packed_;
    std::uint64_t packedBytes_;
    std::string where_;
    std::vector<std::byte> piece_;
    z_stream stream_{};
    bool ended_ = false;
};

/// Whether the file starts like a gzip file.
bool isGzip(const InputFile& input) {
    return input.startsWith("\x1f\x8b\x08");
}

constexpr std::size_t kMaxAxes = 4;

/// Header: two zero bytes, the element type, the number of axes, then their lengths, 32 bits each, big-endian.
struct IdxHeader {
    std::uint8_t type = 0;
    std::vector<std::uint64_t> shape;

    bool isBytes() const noexcept { return type == 0x08; }
    std::uint64_t bytes() const noexcept { return 4 + 4 * shape.size(); }
    std::string text() const {
        return fmt::format("{} [{}]", isBytes() ? "unsigned bytes" : "elements of another type",
                           fmt::join(shape, ", "));
    }
};

bool isIdxStart(std::span<const std::byte> start) {
    constexpr std::array<std::uint8_t, 6> types{0x08, 0x09, 0x0B, 0x0C, 0x0D, 0x0E};
    const auto at = [&](std::size_t i) { return std::to_integer<std::uint8_t>(start[i]); };
    return start.size() >= 4 && at(0) == 0 && at(1) == 0 && std::ranges::count(types, at(2)) == 1 && at(3) >= 1 &&
           at(3) <= kMaxAxes;
}

IdxHeader readIdxHeader(ByteSource& source, const std::string& where) {
    std::array<std::byte, 4> start{};
    readExactly(source, start, where);
    if (!isIdxStart(start))
        refuse(where, "an IDX file", "another beginning");
    IdxHeader header{std::to_integer<std::uint8_t>(start[2]), {}};
    for (std::size_t axis = 0; axis < std::to_integer<std::size_t>(start[3]); ++axis) {
        std::array<std::byte, 4> length{};
        readExactly(source, length, where);
        std::uint64_t value = 0;
        for (const std::byte byte : length)
            value = value << 8 | std::to_integer<std::uint64_t>(byte);
        header.shape.push_back(value);
    }
    return header;
}

std::unique_ptr<ByteSource> openIdx(const InputFile& input) {
    if (!isGzip(input))
        return input.open();
    return std::make_unique<GzipSource>(input.open(), input.size(), input.name());
}

/// The number of elements. Checks that the file can hold them.
/// @throws Error{BadInput}
std::uint64_t requireRoom(const IdxHeader& header, const InputFile& input, const ByteSource& source) {
    std::uint64_t count = 1;
    const std::uint64_t most = source.size() - std::min(source.size(), header.bytes());
    for (const std::uint64_t length : header.shape)
        if (length != 0 && count > most / length)
            refuse(input.name(), "as many bytes as " + header.text() + " takes",
                   std::to_string(input.size()) + " bytes: it is truncated");
        else
            count *= length;
    if (!isGzip(input) && count != most)
        refuse(input.name(), std::to_string(count) + " bytes for " + header.text(),
               std::to_string(most) + (most < count ? ": it is truncated" : ""));
    return count;
}

std::vector<std::uint8_t> readElements(ByteSource& source, std::uint64_t count, const std::string& where,
                                       const JobContext& job) {
    constexpr std::uint64_t pieceBytes = std::uint64_t{1} << 20;
    std::vector<std::uint8_t> elements; // takes pages as data arrive, regardless of the claimed size
    reserveFor(elements, count, where);
    while (elements.size() < count) {
        job.checkpoint(static_cast<double>(elements.size()) / static_cast<double>(count));
        const std::size_t first = elements.size();
        elements.resize(first + static_cast<std::size_t>(std::min(pieceBytes, count - first)));
        readExactly(source, std::as_writable_bytes(std::span(elements).subspan(first)), where);
    }
    expectEnd(source, where);
    return elements;
}

std::shared_ptr<const ImageStore> imagesOf(const InputFile& input, const JobContext& job) {
    const auto source = openIdx(input);
    const IdxHeader header = readIdxHeader(*source, input.name());
    const std::string expected = "pictures as unsigned bytes [N, height, width] (idx3-ubyte)";
    if (header.shape.size() == 1)
        refuse(input.name(), expected, "labels, " + header.text() + ": open the file of the pictures");
    if (!header.isBytes() || header.shape.size() != 3)
        refuse(input.name(), expected, header.text());
    const std::uint64_t count = requireRoom(header, input, *source);
    if (count == 0)
        refuse(input.name(), "at least one picture with pixels", header.text());
    const auto store = [&](auto pixels) {
        return std::make_shared<const ImageStore>(std::move(pixels), header.shape[0], header.shape[1], header.shape[2],
                                                  1);
    };
    if (input.isOnDisk() && !isGzip(input))
        return store(pixelsInFile(input.name(), header.bytes()));
    return store(readElements(*source, count, input.name(), job));
}

/// The label file in the same folder, named as for MNIST: train-images-idx3-ubyte, train-labels-idx1-ubyte.
std::optional<std::string> labelFileOf(const InputFile& input) {
    if (!input.isOnDisk())
        return std::nullopt;
    const std::filesystem::path path(input.name());
    std::string name = path.filename().string();
    const std::size_t images = name.rfind("images");
    const std::size_t kind = name.rfind("idx3");
    if (images == name.npos || kind == name.npos)
        return std::nullopt;
    name.replace(kind, 4, "idx1").replace(images, 6, "labels");
    const std::string plain = name.ends_with(".gz") ? name.substr(0, name.size() - 3) : name;
    for (const std::string& candidate : {name, plain, plain + ".gz"}) {
        const std::filesystem::path beside = path.parent_path() / candidate;
        std::error_code ignored;
        if (std::filesystem::is_regular_file(beside, ignored))
            return beside.string();
    }
    return std::nullopt;
}

ClassLabels labelsIn(const std::string& file, std::uint64_t rows, const JobContext& job) {
    const InputFile input = InputFile::onDisk(file);
    const auto source = openIdx(input);
    const IdxHeader header = readIdxHeader(*source, file);
    if (!header.isBytes() || header.shape.size() != 1 || header.shape[0] != rows)
        refuse(file, std::to_string(rows) + " labels as unsigned bytes, one for each picture",
               header.text() + "; put the labels that belong to the pictures there, or none");
    const std::uint64_t count = requireRoom(header, input, *source);
    const std::vector<std::uint8_t> labels = readElements(*source, count, file, job);
    return labelsFromIntegers({labels.begin(), labels.end()});
}

} // namespace

bool recognisesIdx(const InputFile& input) {
    if (!isGzip(input))
        return isIdxStart(input.head());
    try {
        std::array<std::byte, 4> start{};
        const auto head = InputFile::inMemory(input.name(), input.head());
        GzipSource unpacked(head.open(), head.size(), head.name());
        readExactly(unpacked, start, head.name());
        return isIdxStart(start);
    } catch (const std::exception&) {
        return false;
    }
}

EmbeddingParts readIdx(const InputFile& input, const std::string& key, const JobContext& job) {
    requireNoKey(input.name(), key, "a single array (IDX), without keys");
    const auto images = imagesOf(input, job.part({}, 0.0, 0.2));
    const std::optional<std::string> labelFile = labelFileOf(input);
    ClassLabels labels;
    if (labelFile)
        labels = labelsIn(*labelFile, images->rows(), job.part({}, 0.2, 0.3));
    EmbeddingParts parts = embedPictures(images, input.name(), job.part({}, 0.3, 1.0));
    parts.labels = std::move(labels);
    if (labelFile)
        parts.source.notes.push_back(input.name() + ": classes from " + *labelFile);
    return parts;
}

} // namespace assay
