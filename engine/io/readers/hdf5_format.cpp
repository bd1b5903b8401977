#include "engine/base/available_memory.h"
#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/base/job_context.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/hdf5_program/protocol.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/pictures/array_pictures.h"
#include "engine/io/preparation/built_in.h"
#include "engine/io/preparation/sample_lists.h"
#include "engine/io/programs/child_process.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/tensors/tensor_choice.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {
namespace {

NpyType typeOf(const nlohmann::json& entry, const std::string& where) {
    const std::string type = entry.at("type");
    NpyType other;
    if (entry.contains("name"))
        other.descr = entry.at("name");
    if (type == "other")
        return other;
    if (type == "text")
        return {NpyType::Kind::Bytes, 1, NpyType::ByteOrder::Native, other.descr};
    if (type.ends_with("bf2")) // NumPy has no name for it
        return {NpyType::Kind::BFloat, 2, type[0] == '<' ? NpyType::kLittleEndian : NpyType::kBigEndian, {}};
    return npyTypeOf(type, where);
}

/// MATLAB stores the first axis last, and names the axes of HDF5 in the reverse order of its own.
NpyHeader headerOf(const nlohmann::json& entry, const std::string& where) {
    NpyHeader header;
    header.type = typeOf(entry, where);
    header.shape = entry.at("shape").get<std::vector<std::uint64_t>>();
    if (entry.value("matlab", false)) {
        std::ranges::reverse(header.shape);
        header.order = NpyHeader::Order::Fortran;
    }
    return header;
}

/// The datasets of an HDF5 file. The program assay-hdf5 lists them, and reads and unpacks those that are not stored as
/// they are in memory. No plugin is loaded. External links are not followed, and datasets stored in other files are
/// refused.
class Hdf5File {
public:
    /// Lists the objects that hard links lead to, in groups nested up to 32 levels deep, and what soft links lead to
    /// when it has one of the usual names (embeddings, labels, groups, ids, images) or lies at or beside `wanted`.
    /// @param input must outlive this object
    /// @throws Error{BadInput} when the library cannot open the file, or when it has more than 10,000 objects;
    ///         Cancelled
    Hdf5File(const InputFile& input, const std::string& wanted, const JobContext& job)
        : input_(input), file_(descriptorOf(input)) {
        const std::string reply = Hdf5Process(file_, {hdf5::kList, wanted, input.name()}, 0, job).readAll();
        try {
            for (const nlohmann::json& entry : nlohmann::json::from_cbor(reply)) {
                const std::string key = entry.at("key");
                if (entry.contains("problem"))
                    problems_[key] = entry.at("problem");
                if (entry.contains("at"))
                    offsets_[key] = entry.at("at");
                if (entry.contains("type"))
                    arrays_.push_back({key, headerOf(entry, placeOf(input.name(), printable(key)))});
            }
        } catch (const nlohmann::json::exception&) {
            refuse(input.name(), "an HDF5 file", "a damaged one");
        }
    }

    /// The datasets. Keys are paths without the leading slash: "group/embeddings". Unsupported datasets have a type
    /// whose size is 0. Those that MATLAB wrote (version 7.3) have its shape, in Fortran order.
    const std::vector<NamedArray>& arrays() const noexcept { return arrays_; }
    /// `file: 'key'`, for messages.
    std::string where(std::size_t array) const { return placeOf(input_.name(), printable(arrays_[array].key)); }
    /// Why the object of that key cannot be read: an unsupported type, or not an array; empty when it can be read.
    std::string problem(const std::string& key) const {
        const auto found = problems_.find(key);
        return found != problems_.end() ? found->second : std::string();
    }
    /// Keys of objects that cannot be read, ascending.
    std::vector<std::string> unreadable() const {
        return collected(problems_, [](const auto& problem) { return problem.first; });
    }

    /// The elements in the order and with the type of the header.
    /// @param job its stop request also ends later reads from the source, which it must outlive
    /// @throws Error{BadInput}
    std::unique_ptr<ByteSource> open(std::size_t array, const JobContext& job) const {
        const NpyHeader& header = arrays_[array].header;
        if (const std::string why = problem(arrays_[array].key); !why.empty())
            refuse(where(array), "a dataset in this file", why);
        if (const auto bytes = place(array))
            return input_.openSection(bytes->first, bytes->second);
        const auto count = header.count();
        if (!count || header.type.itemBytes == 0 ||
            *count > std::numeric_limits<std::uint64_t>::max() / header.type.itemBytes)
            refuse(where(array), "values that memory can hold", header.text());
        auto process = std::make_unique<Hdf5Process>(
            file_, Hdf5Request{hdf5::kValues, arrays_[array].key, where(array)}, *count * header.type.itemBytes, job);
        std::byte ready{}; // before the caller allocates memory for values that are not there
        readExactly(*process, {&ready, 1}, where(array));
        requireMemory(*count * std::min(header.type.itemBytes, sizeof(float)), where(array)); // as floats or bytes
        return process;
    }

    /// Offset and size in bytes of the elements when they are stored contiguously; empty when they are compressed or in
    /// chunks.
    /// @throws Error{BadInput} when they lie beyond the end of the file
    std::optional<std::pair<std::uint64_t, std::uint64_t>> place(std::size_t array) const {
        const NpyHeader& header = arrays_[array].header;
        const std::uint64_t item = header.type.itemBytes;
        const auto offset = offsets_.find(arrays_[array].key);
        if (offset == offsets_.end() || header.type.isText() || item == 0)
            return std::nullopt;
        const std::uint64_t at = offset->second;
        const auto count = header.count();
        if (!count || at > input_.size() || *count > (input_.size() - at) / item)
            refuse(where(array), "as many bytes as " + header.text() + " takes", "the end of the file before them");
        return std::pair(at, *count * item);
    }

    /// A one-dimensional array of text, or of integers as decimal text.
    /// @throws Error{BadInput}; Cancelled
    std::vector<std::string> texts(std::size_t array, const JobContext& job) const {
        const NpyHeader header = asList(arrays_[array].header);
        if (!header.type.isText())
            return readNpyTexts(*open(array, job), header, where(array), job);
        Hdf5Process process(file_, {hdf5::kTexts, arrays_[array].key, where(array)}, 0, job);
        const std::string reply = process.readAll();
        std::vector<std::string> texts;
        reserveFor(texts, header.count().value_or(0), where(array));
        requireMemory(reply.size(), where(array));
        for (std::string_view left = std::string_view(reply).substr(1); !left.empty();) {
            std::uint32_t length = 0;
            std::memcpy(&length, left.data(), std::min(left.size(), sizeof length));
            left.remove_prefix(std::min(left.size(), sizeof length));
            texts.push_back(utf8OrEscaped(left.substr(0, length)));
            left.remove_prefix(std::min<std::size_t>(left.size(), length));
        }
        if (texts.size() != header.count())
            refuse(where(array), std::to_string(header.count().value_or(0)) + " texts", std::to_string(texts.size()));
        return texts;
    }

private:
    const InputFile& input_;
    Descriptor file_;
    std::vector<NamedArray> arrays_;
    std::map<std::string, std::string> problems_;
    std::map<std::string, std::uint64_t> offsets_; ///< of contiguous elements
};

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
        notes.push_back(inQuotes(wanted) + " left out: " + why);
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

/// Classes or groups as texts or numbers. MATLAB's numbers are doubles unless something else was asked for.
/// @param what kLabelList or kGroupList
ClassLabels labelsBeside(const Hdf5File& file, std::size_t list, const std::string& what, std::size_t rows,
                         const JobContext& job) {
    const NpyHeader& header = file.arrays()[list].header;
    requireListOf(file, list, rows, header.type.isNumeric() || header.type.isText());
    return header.type.isText() ? labelsFromFields(file.texts(list, job))
                                : readClassNumbers(*file.open(list, job), asList(header), file.where(list), what, job);
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
    if (const auto labels = beside(file, matrix, kLabelList, notes))
        parts.labels = labelsBeside(file, *labels, kLabelList, parts.rows, job);
    if (const auto groups = beside(file, matrix, kGroupList, notes))
        setGroups(parts, labelsBeside(file, *groups, kGroupList, parts.rows, job), file.where(*groups));
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

EmbeddingParts picturesOfHdf5(const InputFile& input, const std::string& key, PictureOrder /*order*/,
                              const JobContext& job) {
    const std::string wanted = key.empty() ? "images" : keyOf(key);
    const Hdf5File file(input, wanted, job);
    requireReadable(file, input.name(), wanted);
    const auto found = std::ranges::find(file.arrays(), wanted, &NamedArray::key);
    if (found == file.arrays().end())
        refuse(input.name(), "pictures as " + inQuotes(wanted), listingOf(file.arrays()));
    const auto array = static_cast<std::size_t>(found - file.arrays().begin());
    EmbeddingParts parts;
    parts.images = readImages(file, array, job);
    const std::size_t rows = parts.images->rows();
    if (const auto ids = beside(file, array, "ids", parts.source.notes))
        parts.ids = idsBeside(file, *ids, rows, job);
    if (const auto labels = beside(file, array, kLabelList, parts.source.notes))
        parts.labels = labelsBeside(file, *labels, kLabelList, rows, job);
    if (const auto groups = beside(file, array, kGroupList, parts.source.notes))
        parts.groups = labelsBeside(file, *groups, kGroupList, rows, job);
    return parts;
}

} // namespace assay
