#include "engine/base/available_memory.h"
#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/io/archives/zip_archive.h"
#include "engine/io/files/refusal.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/numpy/npz_archive.h"
#include "engine/io/pictures/array_pictures.h"
#include "engine/io/pictures/picture_sets.h"
#include "engine/io/preparation/built_in.h"
#include "engine/io/preparation/sample_lists.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/tensors/tensor_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

namespace assay {

bool recognisesNpy(const InputFile& input) {
    return input.startsWith(npyMagic);
}

EmbeddingParts readNpy(const InputFile& input, const std::string& key, const JobContext& job) {
    const auto source = input.open();
    EmbeddingParts parts;
    const NpyHeader given = readNpyHeader(*source, input.name());
    if (holdsPictures(given) && holdsPictures(withoutUnitAxes(given))) { // [N, 1, d] is a matrix
        requireNoKey(input.name(), key, "a single array (.npy), which has no keys");
        return embedPictures(readPictures(*source, given, input.name(), job.part({}, 0.0, 0.5)), input.name(),
                             job.part({}, 0.5, 1.0));
    }
    if (key != kSeriesKey || !holdsSeries(given))
        requireNoKey(input.name(), key, "a single array (.npy), which has no keys");
    const NpyHeader header = setShape(parts, given, input.name());
    parts.source.key = key;
    std::optional<FloatStorage> view;
    if (const auto& mapping = input.mapping(); mapping && input.reading().allowsView())
        view = viewNpyMatrix(mapping->bytes().subspan(header.headerBytes), mapping, header);
    if (view)
        parts.values = std::move(*view);
    else
        take(parts, takeNpyMatrix(*source, header, input.name(), input.reading(), job));
    return parts;
}

namespace {

constexpr std::string_view imagesKey = "images";
constexpr std::string_view labelsKey = "labels";
constexpr std::string_view groupsKey = kGroupList;
constexpr std::string_view idsKey = "ids";
constexpr std::string_view samplesKey = "arr_0";
constexpr std::string_view sampleClassesKey = "arr_1";

bool isCompanion(std::string_view key) {
    return key == imagesKey || key == labelsKey || key == groupsKey || key == idsKey;
}

/// uint8 [N, H, W] or [N, H, W, C].
bool hasPictureShape(const NpzEntry* entry) {
    return entry && entry->header && holdsPictures(*entry->header);
}

/// guided-diffusion and programs derived from it store samples as `arr_0`, uint8 [N, H, W, C], and classes as `arr_1`.
bool holdsPictureSamples(const NpzArchive& archive) {
    const NpzEntry* entry = archive.find(samplesKey);
    return hasPictureShape(entry) && entry->header->shape.size() == 4;
}

/// The readable entries.
std::vector<NamedArray> arraysOf(const NpzArchive& archive) {
    std::vector<NamedArray> arrays;
    for (const NpzEntry& entry : archive.entries())
        if (entry.header)
            arrays.push_back({entry.key, *entry.header});
    return arrays;
}

/// Arrays that could be the embeddings when the key is not given.
std::vector<const NpzEntry*> candidatesOf(const NpzArchive& archive) {
    const std::vector<NamedArray> arrays = arraysOf(archive);
    return collected(sampleMatrices(arrays), [&](std::size_t array) { return archive.find(arrays[array].key); });
}

/// Whether the archive may hold embeddings of its pictures `arr_0`. Integers are more likely classes.
bool holdsFeatures(const NpzArchive& archive) {
    const std::uint64_t pictures = archive.find(samplesKey)->header->shape[0];
    return std::ranges::any_of(candidatesOf(archive), [&](const NpzEntry* entry) {
        return entry->header->type.isFloat() && withoutUnitAxes(*entry->header).shape[0] == pictures;
    });
}

/// By name: Assay's `embeddings`, then dgm-eval's `reps`. Null when the archive has neither.
const NpzEntry* matrixByConvention(const NpzArchive& archive) {
    const NpzEntry* ours = archive.find("embeddings");
    return ours != nullptr ? ours : archive.find("reps");
}

bool isSeriesEntry(const NpzEntry& entry) {
    return entry.header && holdsSeries(*entry.header) && !isCompanion(entry.key);
}

const NpzEntry& theOnlyMatrix(const NpzArchive& archive, const InputFile& input) {
    const auto isArray = [](const NpzEntry& entry) { return entry.header.has_value(); };
    if (zipContentOf(input) == ZipContent::Other && std::ranges::none_of(archive.entries(), isArray))
        refuseUnknown(input);
    const std::string expected = "'embeddings', 'reps' or a 2-D array of numbers [samples, dimensions]";
    const std::vector<const NpzEntry*> candidates = candidatesOf(archive);
    if (candidates.empty() && hasPictureShape(archive.find(imagesKey)))
        return *archive.find(imagesKey);
    if (const NpzEntry* series = candidates.empty() ? seriesOf(archive.entries(), isSeriesEntry) : nullptr)
        return *series;
    if (candidates.empty())
        refuseOtherKinds(arraysOf(archive), archive.file());
    if (candidates.empty())
        refuse(archive.file(), expected, archive.listing());
    if (candidates.size() > 1) {
        const auto first = std::span(candidates).first(std::min<std::size_t>(candidates.size(), 20));
        refuse(archive.file(), "one 2-D array of numbers",
               fmt::format("{}: {}. Say which by appending ':key' to the file's name, as in '{}:{}'", candidates.size(),
                           joined(first, "; ", &NpzEntry::text), archive.file(), printable(candidates.front()->key)));
    }
    return *candidates.front();
}

/// Throws the entry's problem when it cannot be read.
const NpzEntry& requireReadable(const NpzEntry& entry) {
    if (!entry.header)
        throw Error(ErrorKind::BadInput, entry.problem);
    return entry;
}

const NpzEntry& chooseMatrix(const NpzArchive& archive, const InputFile& input, const std::string& key) {
    if (!key.empty()) {
        const NpzEntry* wanted = archive.find(key);
        if (!wanted)
            refuse(archive.file(), "an array " + inQuotes(key), archive.listing());
        return requireReadable(*wanted);
    }
    const NpzEntry* named = matrixByConvention(archive);
    if (named == nullptr && holdsPictureSamples(archive) && !holdsFeatures(archive))
        named = archive.find(samplesKey);
    return named != nullptr ? requireReadable(*named) : theOnlyMatrix(archive, input);
}

/// The array of that name that belongs to the matrix. Null when there is none, or when it is a pickle, which is
/// skipped.
const NpzEntry* companion(const NpzArchive& archive, const NpzEntry& matrix, std::string_view key) {
    const NpzEntry* entry = archive.find(key);
    if (!entry || entry == &matrix || entry->isObject())
        return nullptr;
    const NpyHeader& header = *requireReadable(*entry).header;
    const std::vector<std::uint64_t> shape = key == imagesKey ? header.shape : asList(header).shape;
    const std::uint64_t rows =
        hasPictureShape(&matrix) ? matrix.header->shape[0] : withoutUnitAxes(*matrix.header).shape[0];
    if (!shape.empty() && shape[0] != rows)
        refuse(archive.where(*entry), fmt::format("{} entries, one for each row of '{}'", rows, printable(matrix.key)),
               std::to_string(shape[0]) + " (" + entry->header->text() + ")");
    return entry;
}

class NpzReader {
public:
    NpzReader(const InputFile& input, const std::string& key, const JobContext& job)
        : job_(job), input_(input), archive_(input, job.part({}, 0.0, listingShare)),
          matrix_(chooseMatrix(archive_, input, key)), images_(companion(imagesKey)), labels_(companion(classesKey())),
          groups_(companion(groupsKey)), ids_(companion(idsKey)) {}

    EmbeddingParts read() {
        if (hasPictureShape(&matrix_))
            return readPicturesAlone();
        // Checks everything that the headers contain before the first large array is read.
        EmbeddingParts parts;
        shape_ = setShape(parts, *matrix_.header, archive_.where(matrix_));
        if (images_)
            try {
                requirePictures(*images_->header, archive_.where(*images_));
            } catch (const Error& error) { // the embeddings can be used without the pictures
                parts.source.notes.push_back(std::string(error.what()) + "; opened without pictures");
                images_ = nullptr;
            }
        requireLists();
        for (const NpzEntry* entry : std::array{&matrix_, images_, labels_, groups_, ids_})
            totalBytes_ += entry ? static_cast<double>(entry->bytes) : 0.0;

        parts.source.key = matrix_.key;
        noteObjects(parts);
        noteOthers(parts);
        std::optional<FloatStorage> view = viewMatrix();
        if (!view)
            requireMemory(matrix_.bytes / std::max<std::size_t>(matrix_.header->type.itemBytes, 1) * sizeof(float),
                          archive_.where(matrix_));
        if (images_)
            parts.images = readImages();
        if (view)
            parts.values = std::move(*view);
        else
            take(parts, readMatrix());
        addCompanions(parts);
        noteOrigin(parts);
        return parts;
    }

private:
    static constexpr double listingShare = 0.02;

    /// Reads pictures without embeddings and computes the built-in embedding.
    EmbeddingParts readPicturesAlone() {
        constexpr double embeddingShare = 0.5;
        requirePictures(*matrix_.header, archive_.where(matrix_));
        requireLists();
        images_ = &matrix_;
        for (const NpzEntry* entry : std::array{images_, labels_, groups_, ids_})
            totalBytes_ += entry ? static_cast<double>(entry->bytes) / embeddingShare : 0.0;
        const auto images = readImages();
        EmbeddingParts parts =
            embedPictures(images, archive_.where(matrix_), job_.part({}, listingShare + embeddingShare, 1.0));
        parts.source.key = matrix_.key;
        noteObjects(parts);
        noteOthers(parts);
        addCompanions(parts);
        return parts;
    }

    std::string_view classesKey() const {
        return matrix_.key == samplesKey && hasPictureShape(&matrix_) ? sampleClassesKey : labelsKey;
    }

    void requireLists() const {
        if (labels_)
            requireList(*labels_->header, archive_.where(*labels_), kLabelList);
        if (groups_)
            requireList(*groups_->header, archive_.where(*groups_), kGroupList);
        if (ids_)
            requireList(*ids_->header, archive_.where(*ids_), "ids");
    }

    void noteObjects(EmbeddingParts& parts) const {
        for (const std::string_view key : {imagesKey, labelsKey, groupsKey, idsKey})
            if (const NpzEntry* entry = archive_.find(key); entry && entry != &matrix_ && entry->isObject())
                parts.source.notes.push_back(archive_.where(*entry) + " holds Python objects and was skipped");
    }

    void noteOthers(EmbeddingParts& parts) const {
        std::vector<NamedArray> arrays = arraysOf(archive_);
        // Whether mean and covariance are used is told where they are taken.
        const bool areStatistics = archive_.holdsStatistics();
        std::erase_if(arrays, [&](const NamedArray& array) {
            return array.key == classesKey() ||
                   (areStatistics && array.key != matrix_.key && (array.key == "mu" || array.key == "sigma"));
        });
        const auto chosen = std::ranges::find(arrays, matrix_.key, &NamedArray::key) - arrays.begin();
        std::string others = othersNote(arrays, static_cast<std::size_t>(chosen), archive_.file());
        if (!others.empty())
            parts.source.notes.push_back(std::move(others));
    }

    /// Adds assay-embed's notes about the embeddings: the network, its input, and what was left out. Ignores damaged
    /// notes: the embeddings remain usable.
    void noteOrigin(EmbeddingParts& parts) const {
        try {
            const std::string model = textOf("model");
            const std::string preprocessing = textOf("preprocessing");
            if (model.empty() || preprocessing.empty())
                return;
            const std::string leftOut = textOf("notes");
            parts.source.notes.push_back(archive_.file() + ": embedded by " + model + " (" + textOf("weights") + "), " +
                                         preprocessing);
            if (!leftOut.empty())
                parts.source.notes.push_back(leftOut);
        } catch (const Error&) {
            return;
        }
    }

    /// A single text of an archive in one line; empty when there is none, or when it is very long.
    std::string textOf(std::string_view key) const {
        constexpr std::uint64_t most = std::uint64_t{64} * 1024;
        const NpzEntry* entry = archive_.find(key);
        if (!entry || !entry->header || !entry->header->type.isText() || !entry->header->shape.empty() ||
            entry->bytes > most)
            return {};
        const auto source = archive_.open(*entry);
        const NpyHeader header = readNpyHeader(*source, archive_.where(*entry));
        const auto texts = readNpyTexts(*source, header, archive_.where(*entry), job_.silent());
        return texts.empty() ? std::string() : printable(texts.front(), most);
    }

    void addCompanions(EmbeddingParts& parts) {
        if (labels_)
            parts.labels = readLabels(*labels_, kLabelList);
        if (groups_)
            setGroups(parts, readLabels(*groups_, kGroupList), archive_.where(*groups_));
        if (ids_)
            parts.ids = readTextList(*archive_.open(*ids_), archive_.where(*ids_), "ids", jobOf(*ids_));
    }

    ClassLabels readLabels(const NpzEntry& list, const std::string& what) const {
        return readClassList(*archive_.open(list), archive_.where(list), what, jobOf(list));
    }

    std::shared_ptr<const ImageStore> readImages() {
        auto images = readPictures(archive_, *images_, input_, jobOf(*images_));
        doneBytes_ += static_cast<double>(images_->bytes);
        return images;
    }

    const NpzEntry* companion(std::string_view key) const { return assay::companion(archive_, matrix_, key); }

    MatrixWithHashes readMatrix() {
        const std::string where = archive_.where(matrix_);
        const auto source = archive_.open(matrix_);
        readNpyHeader(*source, where);
        const JobContext job = jobOf(matrix_);
        doneBytes_ += static_cast<double>(matrix_.bytes);
        return takeNpyMatrix(*source, shape_, where, input_.reading(), job);
    }

    /// The part of the progress that belongs to the next entry.
    JobContext jobOf(const NpzEntry& next) const {
        const auto share = [&](double bytes) { return listingShare + (1.0 - listingShare) * bytes / totalBytes_; };
        return job_.part(inQuotes(next.key, 40), share(doneBytes_),
                         share(doneBytes_ + static_cast<double>(next.bytes)));
    }

    /// A view of the embeddings in the mapped archive; empty when they must be copied.
    std::optional<FloatStorage> viewMatrix() {
        const bool allowed = input_.mapping() && input_.reading().allowsView();
        const auto bytes = allowed ? storedEntry(input_.memory(), matrix_.index) : std::nullopt;
        if (!bytes || bytes->size() < matrix_.header->headerBytes)
            return std::nullopt;
        auto view = viewNpyMatrix(bytes->subspan(matrix_.header->headerBytes), input_.mapping(), shape_);
        if (!view || !holds(matrix_, *bytes, jobOf(matrix_)))
            return std::nullopt;
        doneBytes_ += static_cast<double>(matrix_.bytes);
        return view;
    }

    /// Whether the archive's entry has these bytes. Reads it to the end, which verifies the checksum.
    bool holds(const NpzEntry& entry, std::span<const std::byte> bytes, const JobContext& job) const {
        const auto source = archive_.open(entry);
        std::vector<std::byte> piece(std::size_t{256} * 1024);
        std::size_t at = 0;
        while (const std::size_t got = source->readSome(piece)) {
            if (got > bytes.size() - at || std::memcmp(piece.data(), bytes.data() + at, got) != 0)
                return false;
            at += got;
            job.checkpoint(static_cast<double>(at) / static_cast<double>(bytes.size()));
        }
        return at == bytes.size();
    }

    const JobContext& job_;
    const InputFile& input_;
    NpzArchive archive_;
    const NpzEntry& matrix_;
    const NpzEntry* images_;
    const NpzEntry* labels_;
    const NpzEntry* groups_;
    const NpzEntry* ids_;
    NpyHeader shape_; ///< shape of the embeddings as a matrix
    double totalBytes_ = 0.0;
    double doneBytes_ = 0.0;
};

} // namespace

bool recognisesNpz(const InputFile& input) {
    return input.startsWith("PK\x03\x04") || input.startsWith(std::string_view("PK\x05\x06", 4));
}

std::vector<std::string> npzChoices(const InputFile& input, const JobContext& job) {
    const NpzArchive archive(input, job);
    std::vector<std::string> keys;
    if (matrixByConvention(archive) != nullptr)
        return keys;
    if (holdsPictureSamples(archive) && !holdsFeatures(archive))
        return keys;
    for (const NpzEntry* candidate : candidatesOf(archive))
        keys.push_back(candidate->key);
    return keys.size() > 1 ? keys : std::vector<std::string>();
}

EmbeddingParts readNpz(const InputFile& input, const std::string& key, const JobContext& job) {
    return NpzReader(input, key, job).read();
}

EmbeddingParts picturesOfNpz(const InputFile& input, const std::string& key, PictureOrder /*order*/,
                             const JobContext& job) {
    const NpzArchive archive(input, job);
    const NpzEntry* pictures = nullptr;
    for (const std::string_view wanted : {std::string_view(key), std::string_view("images"), std::string_view("arr_0")})
        if (pictures == nullptr && !wanted.empty() && (key.empty() || wanted == key))
            pictures = archive.find(wanted);
    if (pictures == nullptr || !pictures->header)
        refuse(input.name(), key.empty() ? "pictures as 'images' or 'arr_0'" : "pictures as " + inQuotes(key),
               pictures != nullptr ? pictures->problem : archive.listing());
    EmbeddingParts parts;
    parts.images = readPictures(archive, *pictures, input, job);
    const std::size_t rows = parts.images->rows();
    parts.ids = readIdList(archive, "ids", rows, job);
    parts.labels = readLabelList(archive, pictures->key == "arr_0" ? "arr_1" : "labels", kLabelList, rows, job);
    parts.groups = readLabelList(archive, kGroupList, kGroupList, rows, job);
    return parts;
}

EmbeddingParts picturesOfNpy(const InputFile& input, const std::string& key, PictureOrder /*order*/,
                             const JobContext& job) {
    requireNoKey(input.name(), key, "a single array (.npy), which has no keys");
    const auto source = input.open();
    const NpyHeader header = readNpyHeader(*source, input.name());
    EmbeddingParts parts;
    parts.images = readPictures(*source, header, input.name(), job);
    return parts;
}

} // namespace assay
