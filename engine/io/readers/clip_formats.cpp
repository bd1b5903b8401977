#include "engine/base/available_memory.h"
#include "engine/base/sha256.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/refusal.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/pictures/picture_sets.h"
#include "engine/io/preparation/sample_lists.h"
#include "engine/io/readers/format_table.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".npy";
constexpr std::string_view kClipsKey = "clips";
constexpr std::string_view kFramesKey = "frames";

bool isNamedArray(std::string_view path) {
    return path.size() > kEnding.size() && path.ends_with(kEnding);
}

/// One array of the folder.
struct Clip {
    std::string path; ///< below the folder
    NpyHeader header; ///< as a matrix [frames, features]
};

/// The header as a matrix of frames: [d] and [1, d] are one frame, and of more axes those of length one are
/// dropped.
NpyHeader framesOf(const NpyHeader& header, const std::string& where) {
    NpyHeader frames = header;
    for (auto unit = frames.shape.begin(); frames.shape.size() > 2 && unit != frames.shape.end();)
        unit = *unit == 1 ? frames.shape.erase(unit) : unit + 1;
    if (frames.shape.size() == 1)
        frames.shape.insert(frames.shape.begin(), 1);
    if (frames.shape.size() != 2)
        refuse(where, "one clip: an array [frames, features], or [features]", header.text());
    requireMatrix(frames, where);
    return frames;
}

struct ClipListing {
    std::vector<Clip> clips; ///< sorted by path
    std::vector<std::string> others;
};

ClipListing listClips(const fs::path& folder, const JobContext& job) {
    ClipListing listing;
    std::error_code failure;
    visitFiles(folder, failure, [&](const fs::path& file) {
        job.throwIfStopped();
        std::string path = file.lexically_relative(folder).generic_string();
        if (isNamedArray(path))
            listing.clips.push_back({std::move(path), {}});
        else
            listing.others.push_back(inQuotes(path));
        return true;
    });
    if (failure)
        refuse(folder.string(), "a folder that can be read", failure.message());
    std::ranges::sort(listing.clips, {}, &Clip::path);
    std::ranges::sort(listing.others);
    return listing;
}

/// Reads the headers, and checks that all clips have as many features.
void readHeaders(std::vector<Clip>& clips, const std::string& folder, const JobContext& job) {
    for (Clip& clip : clips) {
        job.throwIfStopped();
        const std::string name = (fs::path(folder) / clip.path).string();
        const auto source = InputFile::onDisk(name).open();
        const NpyHeader header = readNpyHeader(*source, name);
        requirePayload(header, *source, name);
        clip.header = framesOf(header, name);
        if (clip.header.shape[1] != clips.front().header.shape[1])
            refuse(name,
                   std::to_string(clips.front().header.shape[1]) + " features, as '" + clips.front().path + "' has",
                   header.text());
    }
}

bool hasFrames(const std::vector<Clip>& clips) {
    return std::ranges::any_of(clips, [](const Clip& clip) { return clip.header.shape[0] > 1; });
}

/// Unit of a sample: chosen by the key, else as in the real set.
ClipSample sampleBy(const std::string& key, const std::vector<Clip>& clips, const InputFile& input) {
    const std::string& name = input.name();
    if (!key.empty() && key != kClipsKey && key != kFramesKey)
        refuse(name, "'clips' or 'frames' after the folder's name", inQuotes(key));
    if (!hasFrames(clips))
        return ClipSample::None;
    if (key.empty() && input.reading().clips != ClipSample::None)
        return input.reading().clips;
    if (key.empty())
        refuse(name, "a choice of what a sample is",
               std::to_string(clips.size()) + " clips of several frames, such as '" + clips.front().path + "' " +
                   clips.front().header.text() +
                   ". Append ':clips' to the folder's name for one sample a clip (the "
                   "mean of its frames), or ':frames' for one sample a frame, as in '" +
                   name + ":clips'");
    return key == kClipsKey ? ClipSample::Mean : ClipSample::Frame;
}

std::vector<float> meanOfRows(const std::vector<float>& rows, std::size_t dim) {
    std::vector<double> sum(dim, 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i)
        sum[i % dim] += static_cast<double>(rows[i]);
    const std::size_t frames = rows.size() / dim;
    std::vector<float> mean(dim);
    std::ranges::transform(sum, mean.begin(),
                           [&](double value) { return static_cast<float>(value / static_cast<double>(frames)); });
    return mean;
}

std::string idOf(const Clip& clip) {
    return clip.path.substr(0, clip.path.size() - kEnding.size());
}

/// Appends the samples of one clip.
class ClipReader {
public:
    ClipReader(EmbeddingParts& parts, ClipSample sample) : parts_(parts), sample_(sample) {}

    void read(const Clip& clip, const InputFile& folder, const JobContext& job) {
        const std::string name = (fs::path(folder.name()) / clip.path).string();
        HashedSource source(InputFile::onDisk(name).open());
        if (framesOf(readNpyHeader(source, name), name).shape != clip.header.shape)
            refuse(name, "the array that it was when reading began", "another one");
        MatrixWithHashes matrix = takeNpyMatrix(source, clip.header, name, folder.reading(), job);
        lines_.append(source.hash()).append("  ").append(clip.path).append("\n");
        const std::size_t frames = clip.header.shape[0];
        paths_.insert(paths_.end(), sample_ == ClipSample::Frame ? frames : 1, clip.path);
        if (sample_ == ClipSample::Frame) {
            for (std::size_t frame = 0; frame < frames; ++frame)
                parts_.ids.push_back(idOf(clip) + ":" + std::to_string(frame));
            clips_.insert(clips_.end(), frames, idOf(clip));
        } else {
            parts_.ids.push_back(idOf(clip));
            matrix.values = frames > 1 ? meanOfRows(matrix.values, parts_.dim) : std::move(matrix.values);
        }
        makeRoomFor(values_, matrix.values.size(), name);
        values_.insert(values_.end(), matrix.values.begin(), matrix.values.end());
        if (sample_ != ClipSample::Mean)
            rowHash_.insert(rowHash_.end(), matrix.rowHash.begin(), matrix.rowHash.end());
    }

    /// Frames of one clip belong together. @param folder for messages
    void groupFrames(const std::string& folder) {
        if (sample_ == ClipSample::Frame)
            setGroups(parts_, labelsFromText(clips_), folder + ": frames of one clip");
    }

    /// @param folder for messages
    void finish(const std::string& folder) {
        parts_.rows = parts_.ids.size();
        // Of clips of several types, only some have hashes.
        if (rowHash_.size() != parts_.rows)
            rowHash_.clear();
        take(parts_, {std::move(values_), std::move(rowHash_)});
        FolderClasses classes = classesOfFolders(paths_, {}, folder);
        parts_.labels = std::move(classes.labels);
        if (!classes.note.empty())
            parts_.source.notes.push_back(std::move(classes.note));
        parts_.source.sha256 = sha256OfBytes(std::as_bytes(std::span(lines_)));
    }

private:
    EmbeddingParts& parts_;
    ClipSample sample_;
    std::vector<float> values_;
    std::vector<std::uint64_t> rowHash_;
    std::vector<std::string> paths_; ///< one per sample
    std::vector<std::string> clips_; ///< one per frame
    std::string lines_;              ///< as sha256sum prints
};

} // namespace

bool recognisesClipFolder(const InputFile& input) {
    if (!input.isDirectory())
        return false;
    constexpr std::size_t kLookedAt = 10'000;
    std::size_t files = 0;
    std::size_t arrays = 0;
    std::size_t pictures = 0;
    std::error_code failure;
    visitFiles(input.name(), failure, [&](const fs::path& file) {
        const std::string name = file.filename().string();
        arrays += isNamedArray(name) ? 1U : 0U;
        pictures += isNamedPicture(name) ? 1U : 0U;
        return ++files < kLookedAt;
    });
    return arrays > pictures;
}

std::vector<std::string> clipFolderChoices(const InputFile& input, const JobContext& job) {
    ClipListing listing = listClips(input.name(), job);
    readHeaders(listing.clips, input.name(), job);
    return hasFrames(listing.clips) ? std::vector<std::string>{std::string(kClipsKey), std::string(kFramesKey)}
                                    : std::vector<std::string>();
}

EmbeddingParts readClipFolder(const InputFile& input, const std::string& key, const JobContext& job) {
    ClipListing listing = listClips(input.name(), job);
    if (listing.clips.empty())
        refuse(input.name(), "arrays (.npy)", "none");
    readHeaders(listing.clips, input.name(), job);
    EmbeddingParts parts;
    parts.dim = listing.clips.front().header.shape[1];
    parts.source.key = key;
    parts.fileFacts.clips = sampleBy(key, listing.clips, input);
    ClipReader reader(parts, parts.fileFacts.clips);
    const auto count = static_cast<double>(listing.clips.size());
    for (std::size_t i = 0; i < listing.clips.size(); ++i)
        reader.read(listing.clips[i], input,
                    job.part({}, static_cast<double>(i) / count, static_cast<double>(i + 1) / count));
    reader.finish(input.name());
    const std::string clips = input.name() + ": " + std::to_string(listing.clips.size()) + " files, ";
    parts.source.notes.push_back(clips + (parts.fileFacts.clips == ClipSample::Mean ? "one sample a file: the mean of "
                                                                                      "its frames"
                                          : parts.fileFacts.clips == ClipSample::Frame ? "one sample for each frame"
                                                                                       : "one sample a file"));
    if (!listing.others.empty())
        parts.source.notes.push_back(input.name() + ": " + leftOut("left out, no arrays by name", listing.others));
    reader.groupFrames(input.name());
    return parts;
}

namespace {

// Name of the folder, and beginning of the parts' names.
constexpr std::string_view kImages = "img_emb";
constexpr std::string_view kTexts = "text_emb";

/// One file, which holds consecutive rows.
struct Part {
    std::uint64_t number = 0;
    std::string file; ///< file name in the folder
    NpyHeader header; ///< set once it has been read
};

/// The number in `img_emb_12.npy`; empty for other names.
std::optional<std::uint64_t> numberOfPart(std::string_view file, std::string_view kind) {
    constexpr std::string_view ending = ".npy";
    if (file.size() < kind.size() + 2 + ending.size() || !file.starts_with(kind) || file[kind.size()] != '_' ||
        !file.ends_with(ending))
        return std::nullopt;
    const std::string_view digits = file.substr(kind.size() + 1, file.size() - kind.size() - 1 - ending.size());
    if (digits.find_first_not_of("0123456789") != std::string_view::npos)
        return std::nullopt;
    std::uint64_t number = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc())
        return std::numeric_limits<std::uint64_t>::max();
    return number;
}

/// Whether a folder contains a part. Checks only some of its files, because it may contain millions of others.
bool holdsParts(const fs::path& folder, std::string_view kind) {
    constexpr int lookedAt = 10'000;
    std::error_code failure;
    fs::directory_iterator at(folder, failure);
    const fs::directory_iterator end;
    for (int i = 0; i < lookedAt && !failure && at != end; ++i, at.increment(failure))
        if (numberOfPart(at->path().filename().string(), kind))
            return true;
    return false;
}

/// The folder of the parts: the subfolder of their name, or the folder itself.
std::optional<fs::path> folderOfParts(const fs::path& folder, std::string_view kind) {
    if (holdsParts(folder / kind, kind))
        return folder / kind;
    return holdsParts(folder, kind) ? std::optional(folder) : std::nullopt;
}

/// Parts to read: the images, unless the key names the texts or the folder has only texts.
struct Place {
    std::string_view kind;
    fs::path folder;
};

Place placeOfParts(const InputFile& input, const std::string& key) {
    for (const std::string_view kind : {kImages, kTexts})
        if (key.empty() || key == kind)
            if (auto folder = folderOfParts(input.name(), kind))
                return {kind, std::move(*folder)};
    refuse(input.name(), "parts of '" + std::string(kImages) + "' or '" + std::string(kTexts) + "'",
           "none of " + inQuotes(key));
}

std::vector<Part> listParts(const Place& place, const JobContext& job) {
    std::vector<Part> parts;
    std::error_code failure;
    fs::directory_iterator at(place.folder, failure);
    for (const fs::directory_iterator end; !failure && at != end; at.increment(failure)) {
        job.throwIfStopped();
        std::string file = at->path().filename().string();
        if (const auto number = numberOfPart(file, place.kind))
            parts.push_back({*number, std::move(file), {}});
    }
    if (failure)
        refuse(place.folder.string(), "a folder that can be read", failure.message());
    std::ranges::sort(parts, [](const Part& a, const Part& b) {
        return a.number != b.number ? a.number < b.number : a.file < b.file;
    });
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0 && parts[i].number == parts[i - 1].number)
            refuse(place.folder.string(), "one part of each number",
                   "both '" + parts[i - 1].file + "' and '" + parts[i].file + "'");
        if (parts[i].number != i)
            refuse(place.folder.string(), "a part " + std::to_string(i) + " before '" + parts[i].file + "'",
                   "none: its rows are missing");
    }
    return parts;
}

/// The elements of all parts, one after the other.
class PartsSource : public ByteSource {
public:
    PartsSource(fs::path folder, const std::vector<Part>& parts, std::uint64_t bytes)
        : folder_(std::move(folder)), parts_(parts), bytes_(bytes) {}

    std::uint64_t size() const noexcept override { return bytes_; }

    std::size_t readSome(std::span<std::byte> into) override {
        while (next_ < parts_.size() || source_) {
            if (!source_)
                open();
            if (const std::size_t got = source_->readSome(into); got > 0)
                return got;
            lines_.append(source_->hash()).append("  ").append(parts_[next_ - 1].file).append("\n");
            source_.reset();
        }
        return 0;
    }

    /// The lines that sha256sum prints for all parts that were read to their end.
    const std::string& lines() const noexcept { return lines_; }

private:
    void open() {
        const std::string name = (folder_ / parts_[next_].file).string();
        source_.emplace(InputFile::onDisk(name).open());
        if (withoutUnitAxes(readNpyHeader(*source_, name)).text() != parts_[next_].header.text())
            refuse(name, "the array that it was when reading began", "another one");
        ++next_;
    }

    fs::path folder_;
    const std::vector<Part>& parts_;
    std::uint64_t bytes_;
    std::size_t next_ = 0; ///< next part to open
    std::optional<HashedSource> source_;
    std::string lines_;
};

/// Reads each part's header and checks that all have the same type and dimension.
/// @return the header of the combined array
NpyHeader joinHeaders(const fs::path& folder, std::vector<Part>& parts, const JobContext& job) {
    NpyHeader whole;
    for (Part& part : parts) {
        job.throwIfStopped();
        const std::string name = (folder / part.file).string();
        const InputFile file = InputFile::onDisk(name);
        if (file.isDirectory())
            refuse(name, "a NumPy array (.npy)", "a folder");
        const auto source = file.open();
        part.header = withoutUnitAxes(readNpyHeader(*source, name));
        const NpyHeader& header = part.header;
        const bool empty = header.shape.size() == 2 && header.shape[0] == 0; // written by a worker without results
        if (!empty || header.shape[1] == 0)
            requireMatrix(header, name);
        requirePayload(header, *source, name);
        if (header.order != NpyHeader::Order::C)
            refuse(name, "rows one after the other (C order)", header.text() + " in Fortran order");
        if (whole.shape.empty()) {
            whole = {header.type, NpyHeader::Order::C, {0, header.shape[1]}, 0};
        } else if (header.shape[1] != whole.shape[1]) {
            refuse(name, std::to_string(whole.shape[1]) + " columns, as '" + parts.front().file + "' has",
                   header.text());
        } else if (header.type.descr != whole.type.descr) {
            refuse(name, whole.type.text() + ", as in '" + parts.front().file + "'", header.text());
        }
        whole.shape[0] += header.shape[0];
    }
    return whole;
}

/// Notes where the names of the rows are, when clip-retrieval stored them: `metadata/metadata_0.parquet` beside the
/// folder of the parts.
void noteNames(EmbeddingParts& parts, const Place& place, const Part& first) {
    const std::string number = fs::path(first.file).stem().string().substr(place.kind.size());
    const fs::path folder = fs::absolute(place.folder).lexically_normal() / "..";
    std::error_code ignored;
    if (fs::exists(folder / "metadata" / ("metadata" + number + ".parquet"), ignored))
        parts.source.notes.push_back(place.folder.string() +
                                     ": rows are called by their numbers: their names in metadata/ are in Parquet, "
                                     "which Assay does not read; as a table they can be given by --real-labels or "
                                     "--labels");
}

} // namespace

bool recognisesClipParts(const InputFile& input) {
    return input.isDirectory() && (folderOfParts(input.name(), kImages) || folderOfParts(input.name(), kTexts));
}

EmbeddingParts readClipParts(const InputFile& input, const std::string& key, const JobContext& job) {
    const Place place = placeOfParts(input, key);
    std::vector<Part> files = listParts(place, job);
    const NpyHeader header = joinHeaders(place.folder, files, job);
    requireMatrix(header, input.name());
    EmbeddingParts parts;
    parts.rows = header.shape[0];
    parts.dim = header.shape[1];
    parts.source.key = key;
    PartsSource source(place.folder, files, *header.count() * header.type.itemBytes);
    take(parts, takeNpyMatrix(source, header, input.name(), input.reading(), job));
    noteNames(parts, place, files.front());
    parts.source.sha256 = sha256OfBytes(std::as_bytes(std::span(source.lines())));
    return parts;
}

} // namespace assay
