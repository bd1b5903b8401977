#include "engine/io/sets/read_embeddings.h"

#include "engine/base/error.h"
#include "engine/base/run_alongside.h"
#include "engine/base/sha256.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/pictures/array_pictures.h"
#include "engine/io/pictures/picture_sets.h"
#include "engine/io/preparation/built_in.h"
#include "engine/io/preparation/sample_lists.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/sets/group_source.h"
#include "engine/io/sets/set_files.h"
#include "engine/io/sets/statistics_file.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <new>
#include <stop_token>
#include <utility>

namespace assay {
namespace {

/// Where the rows of a set come from: a file, or arrays in memory.
struct SetSource {
    std::string place; ///< file, or file and key, for messages
    std::string file;  ///< as SourceInfo::file
    std::string name;  ///< of the set
    /// Reads the rows with the given settings; called again when rounding to float32 would lose differences.
    std::function<EmbeddingParts(const ValueReading&, const JobContext&)> read;
};

/// Mapped files below this size may stay in memory after hashing.
constexpr std::uint64_t kMuch = std::uint64_t{1} << 30;

/// Computes the hash of a mapped file. Releases the pages of large files afterwards: an archive's other arrays are not
/// needed.
std::string hashOf(const MappedFile& file, const JobContext& job) {
    constexpr std::size_t kPiece = std::size_t{64} << 20;
    const auto bytes = file.bytes();
    const auto share = [&](std::size_t done) { return static_cast<double>(done) / static_cast<double>(bytes.size()); };
    Sha256 hash;
    for (std::size_t first = 0; first < bytes.size(); first += kPiece) {
        const auto piece = bytes.subspan(first, std::min(kPiece, bytes.size() - first));
        hash.add(piece, job.part({}, share(first), share(first + piece.size())));
        file.release(piece);
    }
    return hash.hex();
}

std::string hashOf(const InputFile& input, const JobContext& job) {
    if (input.mapping() && input.size() > kMuch)
        return hashOf(*input.mapping(), job);
    return input.isInMemory() ? sha256OfBytes(input.memory(), job) : sha256OfFile(input.name(), job);
}

/// Computes a file's hash on a separate thread while the content is read; both take about the same time.
class FileHash {
public:
    /// @param input must outlive this object
    FileHash(const InputFile& input, unsigned threads) : input_(input) {
        constexpr std::uint64_t worthAThread = std::uint64_t{1} << 20;
        result_ = runAlongside(input.size() < worthAThread ? 1 : threads, [this] {
            return hashOf(
                input_, JobContext(stop_.get_token(), [this](const Progress& progress) { done_ = progress.fraction; }));
        });
    }
    ~FileHash() { stop_.request_stop(); }
    FileHash(const FileHash&) = delete;
    FileHash& operator=(const FileHash&) = delete;

    /// Waits for the hash.
    /// @throws Cancelled; Error{BadInput} when the file cannot be read
    std::string hash(const JobContext& job) {
        if (result_.takeBack()) // no thread
            return hashOf(input_, job);
        const double already = done_;
        while (!result_.waitFor(std::chrono::milliseconds(10)))
            job.checkpoint(already < 1.0 ? (done_ - already) / (1.0 - already) : 1.0);
        job.checkpoint(1.0);
        return result_.get();
    }

private:
    const InputFile& input_;
    std::stop_source stop_;
    std::atomic<double> done_ = 0.0;
    Alongside<std::string> result_; // last member: waits for the thread before what it uses is destroyed
};

/// Keeps only the rows and other data that the share holds.
void cut(EmbeddingParts& parts, const RowShare& share) {
    if (share.parts < 2)
        return;
    parts.images = nullptr;
    if (share.part > 0) {
        parts.labels = {};
        parts.groups = {};
        parts.ids = {};
    }
    // EmbeddingSet reports a wrong number of values.
    if (parts.values.size() != parts.rows * parts.dim)
        return;
    parts.held = share.of(parts.rows);
    parts.values = parts.values.part(parts.held->first * parts.dim, parts.held->count * parts.dim);
}

/// Reads the values according to the preparation, or fits it first. Does everything except scaling.
EmbeddingParts readPrepared(const SetSource& source, const ReadOptions& options, const SetFiles& beside,
                            const JobContext& job) {
    const double read = options.preparation ? 0.95 : 0.8;
    const ValueReading reading = options.preparation ? readingFor(*options.preparation) : readingFor(options.choice);
    EmbeddingParts parts = source.read(reading, job.part({}, 0.0, read));
    requireSamples(parts, reading, source.place);
    parts.name = source.name;
    parts.source.file = source.file;
    if (options.share.part == 0)        // other parts hold neither labels nor pictures
        joinBeside(parts, beside, job); // before rows are dropped, so that their data is dropped, too
    const ComputeContext finishing{.threads = options.threads, .job = job.part({}, read, 1.0)};
    if (options.preparation) {
        finishReading(parts, *options.preparation, source.place, finishing);
        parts.preparation = options.preparation;
        return parts;
    }
    const auto again = [&](const ValueReading& other) { return source.read(other, finishing.job.silent()); };
    parts.preparation =
        std::make_shared<const ValuePreparation>(fitPreparation(parts, options.choice, again, source.place, finishing));
    return parts;
}

/// Reads a file through the reader of its format.
/// @param files must outlive the source
SetSource sourceOf(const InputFile& input, const std::string& key, const SetFiles& files) {
    const std::filesystem::path path(input.name());
    SetSource source;
    source.place = placeOf(input.name(), key);
    source.file = key.empty() ? input.name() : input.name() + ":" + key;
    source.name = utf8OrEscaped((input.isDirectory() ? path.filename() : path.stem()).string());
    source.read = [input = input, &format = formatOf(input), key, &files](const ValueReading& reading,
                                                                          const JobContext& job) mutable {
        ValueReading own = reading;
        takeGroupColumn(own, files);
        input.setReading(std::move(own));
        return format.read(input, key, job);
    };
    return source;
}

/// Reads the rows of a source and prepares them: joins classes and pictures of other files, fits or applies the
/// preparation, scales. All that is left to do is the set's hash and its checks.
/// @param beside files of pictures and classes beside the rows
/// @throws as readSet()
EmbeddingParts readParts(const SetSource& source, const ReadOptions& options, const SetFiles& beside,
                         const JobContext& job) {
    EmbeddingParts parts = readPrepared(source, options, beside, job);
    cut(parts, options.share);
    scale(parts, *parts.preparation, source.place, {.threads = options.threads, .job = job.silent()});
    drawSeries(parts);
    if (std::string note = builtInNote(parts.source, source.place); !note.empty())
        parts.source.notes.insert(parts.source.notes.begin(), std::move(note));
    for (std::string& one : parts.source.notes)
        one = utf8OrEscaped(beside.inWordsOfOriginal(one)); // they name files
    return parts;
}

std::shared_ptr<const EmbeddingSet> readFrom(const InputFile& input, const std::string& key, const ReadOptions& options,
                                             const JobContext& job, const SetFiles& beside = {}) {
    try {
        const SetSource source =
            sourceOf(input, key, beside); // reports an unknown format before a thread starts to hash
        const std::filesystem::path path(input.name());
        // A mapped file is not copied; most of the time is then spent on the hash.
        const double readingEnd = input.mapping() ? 0.02 : 0.7;
        std::optional<FileHash> hash;
        if (options.share.part == 0 && !input.isDirectory()) // the reader of a folder computes its hash
            hash.emplace(input, options.threads);
        EmbeddingParts parts =
            readParts(source, options, beside, job.part("Reading " + path.filename().string(), 0.0, readingEnd));
        if (options.share.part == 0 && !input.isDirectory())
            takePublished(parts, input, job.silent());
        if (hash)
            parts.source.sha256 =
                hash->hash(job.part("Taking the checksum of " + path.filename().string(), readingEnd, 0.85));
        return std::make_shared<const EmbeddingSet>(
            std::move(parts), job.part("Checking " + path.filename().string(), 0.85, 1.0), options.threads);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorKind::NotEnoughMemory, input.name() + ": reading it needs more memory than there is");
    }
}

} // namespace

RowRange RowShare::of(std::size_t rows) const noexcept {
    const auto begin = [&](std::size_t p) { return rows / parts * p + rows % parts * p / parts; };
    return {begin(part), begin(part + 1) - begin(part)};
}

std::shared_ptr<const EmbeddingSet> readEmbeddings(const std::string& fileSpec, const JobContext& job,
                                                   const ReadOptions& options) {
    return readSet({fileSpec}, job, options);
}

std::shared_ptr<const EmbeddingSet> readSet(const SetFiles& files, const JobContext& job, const ReadOptions& options) {
    const FileSpec spec = parseFileSpec(files.embeddings);
    try {
        return readFrom(InputFile::onDisk(spec.file, options.mapFrom), spec.key, options, job, files);
    } catch (const Error& error) {
        throw Error(error.kind(), files.inWordsOfOriginal(error.what()));
    }
}

std::vector<std::string> candidateKeys(const std::string& file) {
    try {
        const InputFile input = InputFile::onDisk(file);
        const auto choices = formatOf(input).choices;
        return choices != nullptr ? choices(input, {}) : std::vector<std::string>();
    } catch (const Error&) {
        return {};
    }
}

std::shared_ptr<const EmbeddingSet> readEmbeddingsFromMemory(const std::string& name, std::span<const std::byte> bytes,
                                                             const std::string& key, const JobContext& job,
                                                             const ReadOptions& options) {
    return readFrom(InputFile::inMemory(name, bytes), key, options, job);
}

namespace {

/// The bytes of a .npy file whose elements lie elsewhere than its header.
class LentBytes : public ByteSource {
public:
    explicit LentBytes(const LentArray& array)
        : header_(std::as_bytes(std::span(array.header))), elements_(array.elements),
          bytes_(header_.size() + elements_.size()) {}

    std::uint64_t size() const noexcept override { return bytes_; }

    std::size_t readSome(std::span<std::byte> into) override {
        std::span<const std::byte>& rest = header_.empty() ? elements_ : header_;
        const std::size_t some = std::min(into.size(), rest.size());
        if (some > 0)
            std::memcpy(into.data(), rest.data(), some);
        rest = rest.subspan(some);
        return some;
    }

private:
    std::span<const std::byte> header_, elements_; ///< those that were not read yet
    std::uint64_t bytes_;
};

NpyHeader headerOf(const LentArray& array, const std::string& where) {
    LentBytes source(array);
    return readNpyHeader(source, where);
}

std::string hashOf(const LentArray& array, const JobContext& job) {
    Sha256 hash;
    hash.add(std::as_bytes(std::span(array.header)));
    hash.add(array.elements, job);
    return hash.hex();
}

std::shared_ptr<const ImageStore> imagesOf(const LentArray& array, const std::string& where, const JobContext& job) {
    LentBytes source(array);
    const NpyHeader header = readNpyHeader(source, where);
    requirePictures(header, where);
    return readPictures(source, header, where, job);
}

void readValues(EmbeddingParts& parts, const LentArray& array, const std::string& where, const ValueReading& reading,
                const JobContext& job) {
    LentBytes source(array);
    const NpyHeader header = setShape(parts, readNpyHeader(source, where), where);
    std::optional<FloatStorage> view;
    if (reading.allowsView())
        view = viewNpyMatrix(array.elements, array.memory, header);
    if (view)
        parts.values = std::move(*view);
    else
        take(parts, takeNpyMatrix(source, header, where, reading, job));
}

/// @param what kLabelList or kGroupList
ClassLabels labelsOf(const std::optional<LentArray>& list, const std::string& place, const std::string& what,
                     const JobContext& job) {
    if (!list)
        return {};
    const std::string where = place + ": " + what;
    LentBytes source(*list);
    return readClassList(source, where, what, job);
}

EmbeddingParts readParts(const SetArrays& arrays, const ValueReading& reading, const JobContext& job) {
    EmbeddingParts parts;
    if (arrays.values) {
        readValues(parts, *arrays.values, arrays.place, reading, job);
        if (arrays.isSeries)
            parts.source.key = kSeriesKey;
        if (arrays.images)
            parts.images = imagesOf(*arrays.images, arrays.place + ": images", job);
    } else {
        const std::string where = arrays.place + ": images";
        parts = embedPictures(imagesOf(*arrays.images, where, job), where, job);
    }
    // The constructor of the set compares the number of entries with that of the rows.
    parts.labels = labelsOf(arrays.labels, arrays.place, kLabelList, job);
    setGroups(parts, labelsOf(arrays.groups, arrays.place, kGroupList, job), arrays.place + ": " + kGroupList);
    if (arrays.ids) {
        const std::string where = arrays.place + ": ids";
        requireList(headerOf(*arrays.ids, where), where, "ids");
        LentBytes source(*arrays.ids);
        parts.ids = readTextList(source, where, "ids", job);
    }
    return parts;
}

} // namespace

std::shared_ptr<const EmbeddingSet> readArrays(const SetArrays& arrays, const JobContext& job,
                                               const ReadOptions& options, const SetFiles& beside) {
    if (!arrays.values && !arrays.images)
        throw Error(ErrorKind::InvalidArgument, arrays.place + ": expected embeddings or pictures, found neither");
    SetSource source{arrays.place, arrays.place, arrays.name, {}};
    source.read = [&](const ValueReading& reading, const JobContext& part) { return readParts(arrays, reading, part); };
    try {
        EmbeddingParts parts = readParts(source, options, beside, job.part("Reading " + arrays.name, 0.0, 0.6));
        parts.source.sha256 = hashOf(arrays.values ? *arrays.values : *arrays.images,
                                     job.part("Taking the checksum of " + arrays.name, 0.6, 0.85));
        return std::make_shared<const EmbeddingSet>(std::move(parts), job.part("Checking " + arrays.name, 0.85, 1.0),
                                                    options.threads);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorKind::NotEnoughMemory, arrays.place + ": reading it needs more memory than there is");
    }
}

} // namespace assay
