#include "engine/store/audit_parts.h"

#include "engine/base/error.h"
#include "engine/base/sha256.h"
#include "engine/io/preparation/built_in.h"
#include "engine/store/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace assay::store {
namespace {

// Displaying one picture reads its whole part.
constexpr std::size_t kPicturePart = std::size_t{1} << 20;

std::string picturePart(const std::string& path, std::size_t part) {
    return fmt::format("{}/pictures/{}", path, part);
}

/// Rows that have no picture, ascending; there only where there are any.
std::string missingPictures(const std::string& path) {
    return path + "/pictures/missing";
}

/// Size of the pictures, and how many of them are stored together.
struct PictureLayout {
    std::size_t height = 0, width = 0, channels = 0, rowsEach = 0;
};

/// For writing and reading.
template <typename Archive, typename Layout>
void pictureLayout(Archive& archive, const std::string& path, Layout& layout) {
    archive.number(path + "/pictures/height", layout.height);
    archive.number(path + "/pictures/width", layout.width);
    archive.number(path + "/pictures/channels", layout.channels);
    archive.number(path + "/pictures/rows_each", layout.rowsEach);
}

void writePictures(ValueWriter& values, const std::string& path, const EmbeddingSet& set, const JobContext& job) {
    const ImageStore& pictures = *set.images();
    const std::size_t each = pictures.bytesPerImage();
    const std::size_t rowsEach = std::max<std::size_t>(1, kPicturePart / std::max<std::size_t>(each, 1));
    const PictureLayout layout{pictures.height(), pictures.width(), pictures.channels(), rowsEach};
    pictureLayout(values, path, layout);
    std::vector<std::uint64_t> missing;
    for (std::size_t row = 0; row < pictures.rows(); ++row)
        if (pictures.isMissing(row))
            missing.push_back(row);
    if (!missing.empty())
        values.array(missingPictures(path), missing);
    std::vector<std::uint8_t> part;
    for (std::size_t first = 0; first < pictures.rows(); first += rowsEach) {
        job.checkpoint(static_cast<double>(first) / static_cast<double>(pictures.rows()));
        part.clear();
        for (std::size_t row = first; row < std::min(first + rowsEach, pictures.rows()); ++row) {
            const std::vector<std::uint8_t> pixels = pictures.pixels(row);
            if (pixels.size() != each)
                throw Error(ErrorKind::BadInput,
                            fmt::format("{}: expected the picture of row {} ('{}') as when the file was opened, found "
                                        "that it cannot be decoded, or has changed",
                                        set.source().pictures.empty() ? set.source().file : set.source().pictures,
                                        set.fileRow(row), set.idText(row)));
            part.insert(part.end(), pixels.begin(), pixels.end());
        }
        values.array(picturePart(path, first / rowsEach), part);
    }
}

/// Pictures that stay in the audit file. A part that does not match its SHA-256 is not displayed.
class PackedPixels : public PiecewisePixels {
public:
    /// @param missing rows without a picture, ascending
    PackedPixels(const std::string& file, std::string path, std::size_t bytesEach, std::vector<std::string> digests,
                 std::vector<std::uint64_t> missing)
        : PiecewisePixels(bytesEach), database_(file, Database::Mode::Frozen),
          part_(database_.prepare("SELECT data FROM array WHERE path = ? AND part = 0")), path_(std::move(path)),
          digests_(std::move(digests)), missing_(std::move(missing)) {}

    bool isMissing(std::size_t picture) const noexcept override {
        return std::ranges::binary_search(missing_, picture);
    }

private:
    std::size_t copyPiece(std::size_t part, std::size_t begin, std::span<std::uint8_t> into) const override {
        const std::scoped_lock lock(mutex_);
        return load(part) ? copyFrom(bytes_, begin, into) : 0;
    }

    bool load(std::size_t part) const {
        if (part == loaded_)
            return true;
        loaded_.reset();
        if (part >= digests_.size() || !part_.bind(picturePart(path_, part)).step())
            return false;
        const std::span<const std::byte> found = part_.blob(0);
        const auto* first = reinterpret_cast<const std::uint8_t*>(found.data());
        bytes_.assign(first, first + found.size());
        part_.run(); // runs to its end, so that values can be bound again
        if (sha256OfBytes(std::as_bytes(std::span(bytes_))) != digests_[part])
            return false;
        loaded_ = part;
        return true;
    }

    // Several threads read pictures.
    mutable std::mutex mutex_;
    mutable Database database_;
    mutable Statement part_;
    mutable std::optional<std::size_t> loaded_; ///< index of the part in bytes_
    mutable std::vector<std::uint8_t> bytes_;
    std::string path_;
    std::vector<std::string> digests_;
    std::vector<std::uint64_t> missing_;
};

std::shared_ptr<const ImageStore> readPictures(ValueReader& values, const std::string& path, const PackedSet& packed,
                                               const JobContext& job) {
    PictureLayout layout;
    pictureLayout(values, path, layout);
    const auto [height, width, channels, rowsEach] = layout;
    constexpr std::size_t most = 1 << 15;
    if (height == 0 || width == 0 || height > most || width > most || rowsEach == 0 || rowsEach > 2 * kPicturePart ||
        (channels != 1 && channels != 3 && channels != 4))
        values.refuse(path + "/pictures",
                      fmt::format("expected height, width and channels of pictures, found {} x {} x {}", height, width,
                                  channels));
    const std::size_t each = height * width * channels;
    std::vector<std::string> digests;
    std::vector<std::uint8_t> part;
    for (std::size_t first = 0; first < packed.rows; first += rowsEach) {
        job.checkpoint(static_cast<double>(first) / static_cast<double>(packed.rows));
        const std::string at = picturePart(path, digests.size());
        values.array(at, part); // verifies the SHA-256
        const std::size_t expected = std::min(rowsEach, packed.rows - first) * each;
        if (part.size() != expected)
            values.refuse(at, fmt::format("expected {} bytes of pictures, found {}", expected, part.size()));
        digests.push_back(values.arrayDigest(at));
    }
    std::vector<std::uint64_t> missing;
    if (values.hasArray(missingPictures(path)))
        values.array(missingPictures(path), missing);
    if (!std::ranges::is_sorted(missing))
        values.refuse(missingPictures(path), "expected rows in ascending order, found others");
    return std::make_shared<const ImageStore>(std::make_shared<const PackedPixels>(packed.file, path, rowsEach * each,
                                                                                   std::move(digests),
                                                                                   std::move(missing)),
                                              packed.rows, height, width, channels);
}

/// @param path of classes or groups
void writeLabels(ValueWriter& values, const std::string& path, const ClassLabels& labels) {
    if (labels.code.empty())
        return;
    values.array(path + "/code", labels.code);
    values.texts(path + "/names", labels.names);
}

ClassLabels readLabels(ValueReader& values, const std::string& path) {
    ClassLabels labels;
    if (!values.hasArray(path + "/code"))
        return labels;
    values.array(path + "/code", labels.code);
    values.texts(path + "/names", labels.names);
    for (const std::uint32_t code : labels.code)
        if (code >= labels.names.size())
            values.refuse(path + "/code",
                          fmt::format("expected numbers below {}, found {}", labels.names.size(), code));
    return labels;
}

} // namespace

void writePacked(ValueWriter& values, const std::string& path, const EmbeddingSet& set, const JobContext& job) {
    const std::string below = path + "/packed";
    const MatrixView matrix = set.matrix();
    const bool keepsPictures = set.images() != nullptr && !set.images()->isDrawn();
    values.array(below + "/embeddings", std::span<const float>(matrix.rowData(0), set.rows() * set.dim()),
                 job.part({}, 0.0, keepsPictures ? 0.5 : 1.0));
    values.text(below + "/key", set.source().key);
    values.texts(below + "/notes", set.source().notes);
    if (!set.source().droppedRows.empty())
        values.array(below + "/dropped_rows", set.source().droppedRows);
    if (!set.source().builtIn.empty())
        values.text(below + "/built_in", set.source().builtIn);
    if (!set.source().columnNames.empty())
        values.texts(below + "/column_names", set.source().columnNames);
    writeLabels(values, below + "/labels", set.labels());
    writeLabels(values, below + "/groups", set.groups());
    if (set.hasIds()) {
        std::vector<std::string> ids;
        for (std::size_t row = 0; row < set.rows(); ++row)
            ids.push_back(set.idText(row));
        values.texts(below + "/ids", ids);
    }
    if (keepsPictures)
        writePictures(values, below, set, job.part({}, 0.5, 1.0));
}

bool hasPacked(const ValueReader& values, const std::string& path) {
    return values.hasArray(path + "/packed/embeddings");
}

std::shared_ptr<const EmbeddingSet> readPacked(ValueReader& values, const PackedSet& packed, const JobContext& job) {
    const std::string below = packed.path + "/packed";
    EmbeddingParts parts;
    parts.name = packed.name;
    parts.rows = packed.rows;
    parts.dim = packed.dim;
    parts.source.file = packed.source;
    parts.source.sha256 = packed.sha256;
    parts.preparation = packed.preparation;
    if (values.hasArray(below + "/dropped_rows"))
        values.array(below + "/dropped_rows", parts.source.droppedRows);
    if (values.has(below + "/built_in"))
        values.text(below + "/built_in", parts.source.builtIn);
    if (values.hasTexts(below + "/column_names"))
        values.texts(below + "/column_names", parts.source.columnNames);
    values.text(below + "/key", parts.source.key);
    values.texts(below + "/notes", parts.source.notes);
    std::vector<float> embeddings;
    values.array(below + "/embeddings", embeddings, job.part({}, 0.0, 0.4));
    if (embeddings.size() / std::max<std::size_t>(packed.dim, 1) != packed.rows ||
        embeddings.size() != packed.rows * packed.dim)
        values.refuse(below + "/embeddings",
                      fmt::format("expected {} x {} numbers, found {}", packed.rows, packed.dim, embeddings.size()));
    parts.values = FloatStorage(std::move(embeddings));
    parts.labels = readLabels(values, below + "/labels");
    parts.groups = readLabels(values, below + "/groups");
    if (values.hasTexts(below + "/ids"))
        values.texts(below + "/ids", parts.ids);
    if (values.has(below + "/pictures/height"))
        parts.images = readPictures(values, below, packed, job.part({}, 0.4, 0.9));
    drawSeries(parts);
    return std::make_shared<const EmbeddingSet>(std::move(parts), job.part({}, 0.9, 1.0));
}

} // namespace assay::store
