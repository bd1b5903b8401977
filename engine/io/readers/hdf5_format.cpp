#include "engine/base/available_memory.h"
#include "engine/base/error.h"
#include "engine/io/files/refusal.h"
#include "engine/io/hdf5/hdf5_file.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/numpy/npy_elements.h"
#include "engine/io/pictures/npz_pictures.h"
#include "engine/io/preparation/built_in.h"
#include "engine/io/preparation/sample_lists.h"
#include "engine/io/readers/formats.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace assay {
namespace {

constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";

bool standsAt(const InputFile& input, std::uint64_t offset) {
    if (offset + kSignature.size() <= input.head().size())
        return std::memcmp(input.head().data() + offset, kSignature.data(), kSignature.size()) == 0;
    std::array<std::byte, kSignature.size()> bytes{};
    try {
        readExactly(*input.openSection(offset, bytes.size()), bytes, input.name());
    } catch (const Error&) { // reading the file will report the error
        return false;
    }
    return std::memcmp(bytes.data(), kSignature.data(), kSignature.size()) == 0;
}

/// The key as the file lists it, without leading slashes.
std::string keyOf(const std::string& asked) {
    return asked.substr(std::min(asked.find_first_not_of('/'), asked.size()));
}

void requireReadable(const Hdf5File& file, const std::string& name, const std::string& key) {
    if (const std::string why = file.problem(key); !why.empty())
        refuse(placeOf(name, printable(key)), "a dataset in this file", why);
}

/// A dataset of that name in the same group as the matrix; empty when there is none. Adds a note when it exists but
/// cannot be read.
std::optional<std::size_t> beside(const Hdf5File& file, std::size_t matrix, const std::string& name,
                                  std::vector<std::string>& notes) {
    const std::string& key = file.arrays()[matrix].key;
    const std::string wanted = key.substr(0, key.rfind('/') + 1) + name; // npos + 1 is 0
    if (const std::string why = file.problem(wanted); !why.empty()) {
        notes.push_back("'" + printable(wanted) + "' left out: " + why);
        return std::nullopt;
    }
    const auto found = std::ranges::find(file.arrays(), wanted, &NamedArray::key);
    const auto array = static_cast<std::size_t>(found - file.arrays().begin());
    return found == file.arrays().end() || array == matrix ? std::nullopt : std::optional(array);
}

void requireListOf(const Hdf5File& file, std::size_t list, std::size_t rows, bool isList) {
    const NpyHeader header = asList(file.arrays()[list].header);
    if (header.shape.size() != 1 || header.shape[0] != rows || !isList)
        refuse(file.where(list), std::to_string(rows) + " whole numbers or texts, one for each row", header.text());
}

std::vector<std::string> idsBeside(const Hdf5File& file, std::size_t list, std::size_t rows, const JobContext& job) {
    const NpyType type = file.arrays()[list].header.type;
    requireListOf(file, list, rows, type.isWhole() || type.isText());
    return file.texts(list, job);
}

/// Classes as texts or numbers. MATLAB's numbers are doubles unless something else was asked for.
ClassLabels labelsBeside(const Hdf5File& file, std::size_t list, std::size_t rows, const JobContext& job) {
    const NpyHeader& header = file.arrays()[list].header;
    requireListOf(file, list, rows, header.type.isNumeric() || header.type.isText());
    return header.type.isText() ? labelsFromFields(file.texts(list, job))
                                : readClassNumbers(*file.open(list, job), asList(header), file.where(list), job);
}

std::shared_ptr<const ImageStore> readImages(const Hdf5File& file, std::size_t array, const JobContext& job) {
    const NpyHeader& header = file.arrays()[array].header;
    requirePictures(header, file.where(array)); // before anything is unpacked
    return readPictures(*file.open(array, job), header, file.where(array), job);
}

/// Reads series that lie in Fortran order, as MATLAB's do, into C order, in which windows are rows.
std::unique_ptr<ByteSource> openInCOrder(const Hdf5File& file, std::size_t array, const JobContext& job) {
    const NpyHeader& header = file.arrays()[array].header;
    const auto source = file.open(array, job);
    requirePayload(header, *source, file.where(array));
    const std::size_t item = header.type.itemBytes;
    requireMemory(2 * *header.count() * item, file.where(array));
    std::vector<std::byte> stored;
    std::vector<std::byte> ordered;
    for (std::vector<std::byte>* bytes : {&stored, &ordered}) {
        reserveFor(*bytes, *header.count() * item, file.where(array));
        bytes->resize(*header.count() * item);
    }
    readExactly(*source, stored, file.where(array));
    std::vector<std::uint64_t> strides(header.shape.size(), 1);
    for (std::size_t axis = 1; axis < strides.size(); ++axis)
        strides[axis] = strides[axis - 1] * header.shape[axis - 1];
    constexpr std::size_t kItemsBetweenChecks = std::size_t{1} << 20;
    std::size_t done = 0;
    forEachInOrder(header.shape, strides, [&](std::uint64_t from) {
        if (done % kItemsBetweenChecks == 0)
            job.throwIfStopped();
        std::memcpy(&ordered[done++ * item], &stored[from * item], item);
    });
    return openBytes(std::move(ordered));
}

void addCompanions(EmbeddingParts& parts, const Hdf5File& file, std::size_t matrix, const JobContext& job) {
    std::vector<std::string>& notes = parts.source.notes;
    if (const auto labels = beside(file, matrix, "labels", notes))
        parts.labels = labelsBeside(file, *labels, parts.rows, job);
    if (const auto ids = beside(file, matrix, "ids", notes))
        parts.ids = idsBeside(file, *ids, parts.rows, job);
    const auto images = beside(file, matrix, "images", notes);
    if (!images)
        return;
    const NpyHeader& header = file.arrays()[*images].header;
    if (!holdsPictures(header)) {
        notes.push_back(file.where(*images) + " left out: " + header.text() + " is no array of pictures");
        return;
    }
    if (header.shape[0] != parts.rows)
        refuse(file.where(*images), std::to_string(parts.rows) + " pictures, one for each row", header.text());
    parts.images = readImages(file, *images, job);
}

} // namespace

bool recognisesHdf5(const InputFile& input) {
    // The signature may follow a user block of 512 bytes or of 512 times a power of two, as MATLAB writes it. The
    // search is limited, because files of other formats have no signature.
    constexpr std::uint64_t kFirstBlock = 512, kLargestBlock = std::uint64_t{1} << 20;
    if (input.isDirectory() || input.size() < kSignature.size())
        return false;
    if (standsAt(input, 0))
        return true;
    for (std::uint64_t at = kFirstBlock; at <= kLargestBlock && at <= input.size() - kSignature.size(); at *= 2)
        if (standsAt(input, at))
            return true;
    return false;
}

EmbeddingParts readHdf5(const InputFile& input, const std::string& key, const JobContext& job) {
    const Hdf5File file(input, key.empty() ? "embeddings" : keyOf(key), job);
    // An unreadable dataset of embeddings is an error: no other dataset replaces it.
    requireReadable(file, input.name(), key.empty() ? "embeddings" : keyOf(key));
    if (file.arrays().empty()) // then these are why there is nothing to choose from
        for (const std::string& one : file.unreadable())
            requireReadable(file, input.name(), one);
    const std::size_t matrix = chooseMatrix(file.arrays(), input.name(), keyOf(key));
    const NamedArray& chosen = file.arrays()[matrix];
    requireReadable(file, input.name(), chosen.key);
    EmbeddingParts parts;
    NpyHeader header = chosen.header;
    const bool isTurned = header.order == NpyHeader::Order::Fortran && holdsSeries(header);
    if (isTurned)
        header.order = NpyHeader::Order::C;
    const NpyHeader shape = setShape(parts, header, file.where(matrix));
    parts.source.key = chosen.key;
    if (std::string others = othersNote(file.arrays(), matrix, input.name()); !others.empty())
        parts.source.notes.push_back(std::move(others));
    addCompanions(parts, file, matrix, job.part({}, 0.0, 0.1));
    if (const auto& mapping = input.mapping(); !isTurned && mapping && input.reading().allowsView())
        if (const auto place = file.place(matrix))
            if (auto view = viewNpyMatrix(input.memory().subspan(place->first, place->second), mapping, shape)) {
                parts.values = std::move(*view);
                return parts;
            }
    if (isTurned) {
        const JobContext turning = job.part({}, 0.1, 0.6); // the source keeps it
        const auto source = openInCOrder(file, matrix, turning);
        take(parts, takeNpyMatrix(*source, shape, file.where(matrix), input.reading(), job.part({}, 0.6, 1.0)));
        return parts;
    }
    const JobContext reading = job.part({}, 0.1, 1.0);
    take(parts, takeNpyMatrix(*file.open(matrix, reading), shape, file.where(matrix), input.reading(), reading));
    return parts;
}

std::vector<std::string> hdf5Choices(const InputFile& input, const JobContext& job) {
    return matrixChoices(Hdf5File(input, {}, job).arrays());
}

PictureParts picturesOfHdf5(const InputFile& input, const std::string& key, PictureOrder /*order*/,
                            const JobContext& job) {
    const std::string wanted = key.empty() ? "images" : keyOf(key);
    const Hdf5File file(input, wanted, job);
    requireReadable(file, input.name(), wanted);
    const auto found = std::ranges::find(file.arrays(), wanted, &NamedArray::key);
    if (found == file.arrays().end())
        refuse(input.name(), "pictures as '" + printable(wanted) + "'", listingOf(file.arrays()));
    const auto array = static_cast<std::size_t>(found - file.arrays().begin());
    PictureParts parts;
    parts.images = readImages(file, array, job);
    const std::size_t rows = parts.images->rows();
    if (const auto ids = beside(file, array, "ids", parts.notes))
        parts.ids = idsBeside(file, *ids, rows, job);
    if (const auto labels = beside(file, array, "labels", parts.notes))
        parts.labels = labelsBeside(file, *labels, rows, job);
    return parts;
}

} // namespace assay
