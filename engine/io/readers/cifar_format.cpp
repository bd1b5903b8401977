#include "engine/io/readers/format_table.h"

#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/pictures/array_pictures.h"
#include "engine/io/pictures/picture_sets.h"
#include "engine/io/tensors/pickle_reader.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

namespace assay {
namespace {

constexpr std::size_t kSide = 32;
constexpr std::size_t kPlane = kSide * kSide;
constexpr std::size_t kPicture = 3 * kPlane; ///< red, green and blue planes

void interleave(const std::uint8_t* planes, std::uint8_t* pixels) {
    for (std::size_t i = 0; i < kPlane; ++i)
        for (std::size_t c = 0; c < 3; ++c)
            pixels[3 * i + c] = planes[c * kPlane + i];
}

/// Converts records with one plane per channel to interleaved pixels.
class PlanarPixels : public PiecewisePixels {
public:
    PlanarPixels(std::shared_ptr<const PixelSource> records, std::size_t recordBytes)
        : PiecewisePixels(kPicture), records_(std::move(records)), recordBytes_(recordBytes) {}

private:
    std::size_t copyPiece(std::size_t record, std::size_t begin, std::span<std::uint8_t> into) const override {
        std::array<std::uint8_t, kPicture> planes{};
        std::array<std::uint8_t, kPicture> pixels{};
        if (!records_->read(std::uint64_t{record} * recordBytes_, planes))
            return 0;
        interleave(planes.data(), pixels.data());
        return copyFrom(pixels, begin, into);
    }

    std::shared_ptr<const PixelSource> records_;
    std::size_t recordBytes_;
};

std::shared_ptr<const ImageStore> picturesInFile(const std::string& name, std::uint64_t offset, std::size_t recordBytes,
                                                 std::size_t rows) {
    return std::make_shared<const ImageStore>(
        std::make_shared<const PlanarPixels>(pixelsInFile(name, offset), recordBytes), rows, kSide, kSide, 3);
}

std::shared_ptr<const ImageStore> picturesInMemory(std::span<const std::uint8_t> records, std::size_t labelBytes) {
    const std::size_t rows = records.size() / (labelBytes + kPicture);
    std::vector<std::uint8_t> pixels(rows * kPicture);
    for (std::size_t row = 0; row < rows; ++row)
        interleave(&records[row * (labelBytes + kPicture) + labelBytes], &pixels[row * kPicture]);
    return std::make_shared<const ImageStore>(std::move(pixels), rows, kSide, kSide, 3);
}

/// CIFAR-10 has one label below 10; CIFAR-100 has a coarse label below 20 and a fine one below 100.
struct CifarKind {
    std::size_t labelBytes;
    std::array<unsigned, 2> classes; ///< number of classes of each label

    std::size_t recordBytes() const noexcept { return labelBytes + kPicture; }
    bool allows(std::span<const std::byte> record) const {
        for (std::size_t i = 0; i < labelBytes; ++i)
            if (std::to_integer<unsigned>(record[i]) >= classes[i])
                return false;
        return true;
    }
};
constexpr std::array kCifarKinds{CifarKind{1, {10, 0}}, CifarKind{2, {20, 100}}};

/// Whether the file has one of CIFAR's own names.
bool isNamedBatch(const std::string& name) {
    return name.starts_with("data_batch_") || name.starts_with("test_batch");
}

/// Whether the first records begin with valid labels of this kind.
bool beginsAs(const CifarKind& kind, const InputFile& input) {
    constexpr std::uint64_t looked = 64;
    const std::uint64_t rows = std::min(looked, input.size() / kind.recordBytes());
    std::array<std::byte, 2> labels{};
    for (std::uint64_t row = 0; row < rows; ++row) {
        readExactly(*input.openSection(row * kind.recordBytes(), kind.labelBytes),
                    std::span(labels).first(kind.labelBytes), input.name());
        if (!kind.allows(labels))
            return false;
    }
    return rows > 0;
}

const CifarKind* kindOfFile(const InputFile& input) {
    for (const CifarKind& kind : kCifarKinds)
        if (input.size() % kind.recordBytes() == 0 && beginsAs(kind, input))
            return &kind;
    return nullptr;
}

/// The last label of each record. Checks that all labels are valid.
std::vector<std::int64_t> labelsOfRecords(const CifarKind& kind, const InputFile& input, const JobContext& job) {
    const auto source = input.open();
    std::vector<std::byte> record(kind.recordBytes());
    std::vector<std::int64_t> labels;
    const std::uint64_t rows = input.size() / record.size();
    for (std::uint64_t row = 0; row < rows; ++row) {
        if (row % 256 == 0)
            job.checkpoint(static_cast<double>(row) / static_cast<double>(rows));
        readExactly(*source, record, input.name());
        if (!kind.allows(record))
            refuse(input.name(),
                   "records of CIFAR-" + std::to_string(kind.classes[kind.labelBytes - 1]) + " that begin with a label",
                   "another byte in record " + std::to_string(row) + " (counted from 0)");
        labels.push_back(std::to_integer<std::int64_t>(record[kind.labelBytes - 1]));
    }
    return labels;
}

const char* const kBatch = "a batch of CIFAR: a dictionary with 'data', uint8 [N, 3072]";

std::vector<std::int64_t> labelsIn(const Pickle& pickle, std::uint64_t rows, const std::string& file) {
    for (const std::string_view key : {"labels", "fine_labels"}) {
        const auto list = pickle.find(pickle.root(), key);
        if (!list)
            continue;
        const auto items = pickle.items(*list);
        std::vector<std::int64_t> labels;
        for (const PickleValue item : items)
            if (const auto number = pickle.integer(item))
                labels.push_back(*number);
        if (labels.size() != rows || items.size() != rows)
            refuse(placeOf(file, std::string(key)), std::to_string(rows) + " whole numbers, one for each picture",
                   pickle.describe(*list));
        return labels;
    }
    return {};
}

std::vector<std::string> idsIn(const Pickle& pickle, std::uint64_t rows) {
    const auto list = pickle.find(pickle.root(), "filenames");
    std::vector<std::string> ids;
    if (list)
        for (const PickleValue item : pickle.items(*list))
            if (const auto text = pickle.text(item))
                ids.push_back(utf8OrEscaped(*text));
    return ids.size() == rows ? ids : std::vector<std::string>();
}

} // namespace

bool recognisesCifar(const InputFile& input) {
    try {
        const std::filesystem::path path(input.name());
        return !input.isDirectory() && path.extension() == ".bin" &&
               (kindOfFile(input) != nullptr || isNamedBatch(path.filename().string()));
    } catch (const std::exception&) {
        return false;
    }
}

EmbeddingParts readCifar(const InputFile& input, const std::string& key, const JobContext& job) {
    requireNoKey(input.name(), key, "a batch of CIFAR, without keys");
    const CifarKind* kind = kindOfFile(input);
    if (kind == nullptr)
        refuse(input.name(), "records of 3073 bytes (CIFAR-10) or 3074 bytes (CIFAR-100) that begin with labels",
               std::to_string(input.size()) + " bytes that are none: truncated, or another kind of file");
    const std::vector<std::int64_t> labels = labelsOfRecords(*kind, input, job.part({}, 0.0, 0.3));
    const auto images =
        input.isOnDisk()
            ? picturesInFile(input.name(), kind->labelBytes, kind->recordBytes(), labels.size())
            : picturesInMemory({reinterpret_cast<const std::uint8_t*>(input.memory().data()), input.memory().size()},
                               kind->labelBytes);
    EmbeddingParts parts = embedPictures(images, input.name(), job.part({}, 0.3, 1.0));
    parts.labels = labelsFromIntegers(labels);
    return parts;
}

bool recognisesPickle(const InputFile& input) {
    const auto head = input.head();
    return head.size() >= 2 && head[0] == std::byte{0x80} && head[1] >= std::byte{2} && head[1] <= std::byte{5};
}

EmbeddingParts readCifarPickle(const InputFile& input, const std::string& key, const JobContext& job) {
    requireNoKey(input.name(), key, "a batch of CIFAR, without keys");
    const InputFile mapped = input.isInMemory() ? input : InputFile::onDisk(input.name(), 0);
    if (!mapped.isInMemory())
        refuse(input.name(), "a file that can be mapped into memory", "one that cannot");
    const std::span<const std::byte> bytes = mapped.memory();
    const Pickle pickle(bytes, input.name());
    const auto data = pickle.find(pickle.root(), "data");
    const auto array = data ? arrayOf(pickle, *data, placeOf(input.name(), "data")) : std::nullopt;
    if (!array)
        refuse(input.name(), kBatch,
               pickle.describe(pickle.root()) + "; save embeddings by numpy.save, not as a pickle");
    const NpyHeader& header = array->header;
    if (!header.type.isByte() || header.shape.size() != 2 || header.shape[0] == 0 || header.shape[1] != kPicture)
        refuse(placeOf(input.name(), "data"), kBatch, header.text());
    const std::vector<std::int64_t> labels = labelsIn(pickle, header.shape[0], input.name());
    std::shared_ptr<const ImageStore> images;
    if (input.isOnDisk() && !array->owned && header.order == NpyHeader::Order::C)
        images = picturesInFile(input.name(), static_cast<std::uint64_t>(array->bytes.data() - bytes.data()), kPicture,
                                header.shape[0]);
    else
        images =
            picturesInMemory(readNpyBytes(*array->open(input.name()), header, input.name(), job.part({}, 0, 0.1)), 0);
    EmbeddingParts parts = embedPictures(images, input.name(), job.part({}, 0.1, 1.0));
    if (!labels.empty())
        parts.labels = labelsFromIntegers(labels);
    parts.ids = idsIn(pickle, parts.rows);
    return parts;
}

} // namespace assay
