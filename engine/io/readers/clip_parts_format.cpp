#include "engine/base/sha256.h"
#include "engine/io/files/hashed_source.h"
#include "engine/io/files/refusal.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/readers/formats.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace assay {
namespace {

namespace fs = std::filesystem;

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
           "none of '" + printable(key) + "'");
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
