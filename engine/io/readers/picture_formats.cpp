#include "engine/base/available_memory.h"
#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/data/image_store.h"
#include "engine/io/archives/zip_archive.h"
#include "engine/io/files/refusal.h"
#include "engine/io/pictures/picture_files.h"
#include "engine/io/pictures/picture_sets.h"
#include "engine/io/preparation/sample_lists.h"
#include "engine/io/readers/format_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMaxBytes = 1 << 28; ///< largest size of one picture file

/// A picture file, with its state when it was listed.
struct PictureFile {
    std::string path; ///< relative to the folder, parts separated by '/'
    std::uintmax_t bytes = 0;
    fs::file_time_type written;

    friend bool operator==(const PictureFile&, const PictureFile&) = default;
};

std::optional<PictureFile> look(const fs::path& folder, const std::string& path) {
    std::error_code failure;
    PictureFile file{path, fs::file_size(folder / path, failure), {}};
    if (!failure)
        file.written = fs::last_write_time(folder / path, failure);
    return failure ? std::nullopt : std::optional(file);
}

/// Contents of a folder at any depth.
struct Listing {
    std::vector<std::string> pictures;
    std::vector<std::string> others;
};

Listing list(const fs::path& folder, PictureOrder order, const JobContext& job) {
    Listing listing;
    std::error_code failure;
    visitFiles(folder, failure, [&](const fs::path& file) {
        job.checkpoint(0.0);
        const std::string path = file.lexically_relative(folder).generic_string();
        (isNamedPicture(path) ? listing.pictures : listing.others).push_back(path);
        return true;
    });
    if (failure)
        refuse(folder.string(), "a folder that can be read", failure.message());
    const auto byParts = [](char a, char b) {
        const auto rank = [](char c) { return c == '/' ? 0 : static_cast<unsigned char>(c) + 1; };
        return rank(a) < rank(b);
    };
    if (order == PictureOrder::Path)
        std::ranges::sort(listing.pictures);
    else
        std::ranges::sort(listing.pictures, [&](const std::string& a, const std::string& b) {
            return std::ranges::lexicographical_compare(a, b, byParts);
        });
    std::ranges::sort(listing.others);
    return listing;
}

class FolderFiles : public PictureFiles {
public:
    FolderFiles(fs::path folder, std::vector<std::string> paths) : folder_(std::move(folder)) {
        paths_ = std::move(paths);
        for (const std::string& path : paths_)
            listed_.push_back(look(folder_, path));
    }

    std::vector<std::byte> bytes(std::size_t file) const override {
        const std::optional<PictureFile>& listed = listed_.at(file);
        if (!listed)
            refuse("its file", "to be readable", "it is gone");
        if (look(folder_, listed->path) != listed)
            refuse("its file", "what it was when it was listed", "another one");
        if (listed->bytes > kMaxBytes)
            refuse("its file", "at most " + std::to_string(kMaxBytes) + " bytes", std::to_string(listed->bytes));
        requireMemory(listed->bytes, "its file");
        std::ifstream stream(folder_ / listed->path, std::ios::binary);
        std::vector<std::byte> bytes(listed->bytes);
        if (!stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
            refuse("its file", "to be readable", "it cannot be read");
        return bytes;
    }

    /// Whether a file begins like a picture.
    bool hasPictureHead(std::size_t file) const {
        std::array<char, kPictureHeadBytes> head{};
        std::ifstream stream(folder_ / paths_.at(file), std::ios::binary);
        stream.read(head.data(), head.size());
        return isPictureHead(std::as_bytes(std::span(head)).first(static_cast<std::size_t>(stream.gcount())));
    }

private:
    fs::path folder_;
    std::vector<std::optional<PictureFile>> listed_;
};

/// Display size of the pictures of a folder, judged by a few of them.
DisplaySize sizeOf(const PictureFiles& files, const JobContext& job) {
    constexpr std::size_t kLookedAt = 64;
    std::optional<DisplaySize> size;
    for (std::size_t at = 0; at < files.paths().size(); at += files.paths().size() / kLookedAt + 1) {
        job.checkpoint(static_cast<double>(at) / static_cast<double>(files.paths().size()));
        RgbPicture picture;
        try {
            picture = decodePicture(files.bytes(at));
        } catch (const Error&) { // it will be left out
            continue;
        }
        if (!size)
            size = DisplaySize{picture.width, picture.height, true};
        else if (size->width != picture.width || size->height != picture.height)
            return DisplaySize::of(0, 0, false);
    }
    // Pictures that were not checked may have other sizes, so all are scaled if necessary.
    const DisplaySize known = size ? DisplaySize::of(size->width, size->height, true) : DisplaySize::of(0, 0, false);
    return {known.width, known.height, false};
}

void noteOthers(const std::vector<std::string>& others, const std::string& folder, std::vector<std::string>& notes) {
    const std::vector<std::string> names = collected(others, [](const std::string& name) { return inQuotes(name); });
    if (!names.empty())
        notes.push_back(folder + ": " + leftOut("left out, no pictures by name", names));
}

/// Shows nothing for files that do not even begin like a picture, and names them in a note. They keep their places, by
/// which rows may be joined.
void leaveOutBroken(EmbeddingParts& parts, const FolderFiles& files, const std::string& folder, const JobContext& job) {
    std::vector<std::uint32_t> rows(files.paths().size());
    std::iota(rows.begin(), rows.end(), std::uint32_t{0});
    std::vector<std::string> broken;
    for (std::size_t file = 0; file < rows.size(); ++file) {
        if (file % 256 == 0)
            job.checkpoint(static_cast<double>(file) / static_cast<double>(rows.size()));
        if (files.hasPictureHead(file))
            continue;
        broken.push_back(inQuotes(files.paths()[file]));
        rows[file] = kNoPicture;
    }
    if (broken.size() == rows.size())
        refuse(folder, "pictures", leftOut("not to be decoded", broken));
    if (broken.empty())
        return;
    parts.source.notes.push_back(folder + ": " + leftOut("not to be decoded, shown as empty", broken));
    parts.images = chosenPictures(std::move(parts.images), std::move(rows));
}

} // namespace

bool recognisesPictureFolder(const InputFile& input) {
    if (!input.isDirectory())
        return false;
    // Enough to find a picture in any folder of pictures, and fast in other folders.
    constexpr int kLookedAt = 100'000;
    int files = 0;
    bool found = false;
    std::error_code failure;
    visitFiles(input.name(), failure, [&](const fs::path& file) {
        found = isNamedPicture(file.filename().string());
        return !found && ++files < kLookedAt;
    });
    return found;
}

EmbeddingParts readPictureFolder(const InputFile& input, const std::string& key, const JobContext& job) {
    requireClassesKey(input.name(), key, "a folder of pictures");
    const fs::path folder = fs::absolute(input.name());
    Listing listing = list(folder, PictureOrder::Path, job);
    EmbeddingParts parts =
        embedPictureFiles(std::make_shared<const FolderFiles>(folder, std::move(listing.pictures)), input.name(), job);
    noteOthers(listing.others, input.name(), parts.source.notes);
    parts.source.key = key;
    FolderClasses classes = classesOfFolders(parts.ids, key, input.name());
    parts.labels = std::move(classes.labels);
    if (!classes.note.empty())
        parts.source.notes.push_back(std::move(classes.note));
    return parts;
}

EmbeddingParts picturesOfFolder(const InputFile& input, const std::string& key, PictureOrder order,
                                const JobContext& job) {
    requireClassesKey(input.name(), key, "a folder of pictures");
    const fs::path folder = fs::absolute(input.name());
    Listing listing = list(folder, order, job);
    if (listing.pictures.empty())
        refuse(input.name(), "pictures", "none");
    EmbeddingParts parts;
    parts.ids = listing.pictures;
    parts.rows = parts.ids.size();
    parts.labels = classesOfFolders(parts.ids, key, input.name()).labels;
    noteOthers(listing.others, input.name(), parts.source.notes);
    const auto files = std::make_shared<const FolderFiles>(folder, std::move(listing.pictures));
    std::vector<std::size_t> all(parts.ids.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    parts.images = shownPictures(files, std::move(all), sizeOf(*files, job.part({}, 0.0, 0.5)));
    leaveOutBroken(parts, *files, input.name(), job.part({}, 0.5, 1.0));
    return parts;
}

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxPictureBytes = std::uint64_t{1} << 28;
constexpr std::uint64_t kMaxLabelBytes = std::uint64_t{1} << 26;
constexpr std::string_view kLabelFile = "dataset.json";

bool isHiddenPath(std::string_view path) {
    return path.starts_with('.') || path.find("/.") != path.npos || path.starts_with("__MACOSX/");
}

/// The pictures of an archive. Names serve only as ids; nothing is unpacked to disk.
class ZipPictures : public PictureFiles {
public:
    explicit ZipPictures(const InputFile& input)
        : copy_(copyOf(input)), zip_(source(input), "a complete zip archive of pictures") {
        std::vector<std::pair<std::string, std::uint64_t>> found;
        for (std::uint64_t i = 0; i < zip_.count(); ++i) {
            const std::string name = zip_.name(i);
            if (name == kLabelFile)
                labels_ = i;
            else if (!name.ends_with('/') && !isHiddenPath(name) && isNamedPicture(name))
                found.emplace_back(name, i);
            else if (!name.ends_with('/') && !isHiddenPath(name))
                others_.push_back(inQuotes(name));
        }
        std::ranges::sort(found);
        for (auto& [name, index] : found) {
            if (!paths_.empty() && paths_.back() == name)
                refuse(input.name(), "each picture once", inQuotes(name) + " more than once");
            paths_.push_back(std::move(name));
            indices_.push_back(index);
        }
    }

    std::vector<std::byte> bytes(std::size_t file) const override {
        return entry(indices_.at(file), kMaxPictureBytes, "its entry");
    }

    const std::vector<std::string>& others() const noexcept { return others_; }
    /// The bytes of dataset.json; empty when the archive has none.
    std::optional<std::vector<std::byte>> labelFile(const std::string& where) const {
        return labels_ ? std::optional(entry(*labels_, kMaxLabelBytes, where)) : std::nullopt;
    }

private:
    /// Copies bytes that are only in memory, because the pictures may be used longer than the caller keeps them.
    static std::vector<std::byte> copyOf(const InputFile& input) {
        if (input.isOnDisk())
            return {};
        return {input.memory().begin(), input.memory().end()};
    }
    InputFile source(const InputFile& input) const {
        return copy_.empty() ? input : InputFile::inMemory(input.name(), copy_);
    }
    std::vector<std::byte> entry(std::uint64_t index, std::uint64_t most, const std::string& where) const {
        const std::scoped_lock lock(mutex_);
        return zip_.read(index, most, where);
    }

    std::vector<std::byte> copy_;
    mutable std::mutex mutex_; ///< guards the archive, which is not thread-safe
    ZipFile zip_;
    std::vector<std::uint64_t> indices_;
    std::vector<std::string> others_;
    std::optional<std::uint64_t> labels_;
};

/// Parses StyleGAN's {"labels": [["name.png", 3], ...]} or "labels": null. Stores nothing else of the file.
class LabelList : public nlohmann::json_sax<Json> {
public:
    std::map<std::string, std::string, std::less<>> classes;
    std::string doubled;     ///< names a picture with two classes: "'a.png' with 3 and 5"
    bool areVectors = false; ///< labels are vectors of several numbers, which are not classes

    bool null() override { return take({}); }
    bool boolean(bool) override { return take({}); }
    bool number_integer(number_integer_t value) override { return take(std::to_string(value)); }
    bool number_unsigned(number_unsigned_t value) override { return take(std::to_string(value)); }
    bool number_float(number_float_t, const string_t&) override {
        areVectors = areVectors || isPair();
        return take({});
    }
    bool string(string_t& value) override {
        if (isPair() && name_.empty())
            name_ = value;
        return true;
    }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return ++depth_ < kDeepest; }
    bool key(string_t& value) override {
        if (depth_ == 1)
            inLabels_ = value == "labels";
        return true;
    }
    bool end_object() override { return depth_-- > 0; }
    bool start_array(std::size_t) override {
        ++depth_;
        areVectors = areVectors || (inLabels_ && depth_ == 4);
        if (isPair())
            name_.clear();
        return depth_ < kDeepest;
    }
    bool end_array() override { return depth_-- > 0; }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

private:
    static constexpr int kDeepest = 16;

    bool isPair() const noexcept { return inLabels_ && depth_ == 3; }
    bool take(const std::string& text) {
        if (!isPair() || name_.empty() || text.empty())
            return true;
        const auto [known, isNew] = classes.emplace(name_, text);
        if (!isNew && known->second != text && doubled.empty())
            doubled = inQuotes(name_) + " with " + known->second + " and " + text;
        return true;
    }

    int depth_ = 0;
    bool inLabels_ = false;
    std::string name_;
};

/// Classes from dataset.json. Pictures that it does not name, or names without a class, get the class "none".
ClassLabels classesByList(const std::vector<std::byte>& file, EmbeddingParts& parts, const std::string& place) {
    LabelList list;
    const auto* text = reinterpret_cast<const char*>(file.data());
    if (!Json::sax_parse(text, text + file.size(), &list))
        refuse(place, R"({"labels": [["name", class], ...]})", "a damaged file of labels");
    if (list.areVectors) {
        parts.source.notes.push_back(place + ": labels that are not whole numbers were left out");
        return {};
    }
    if (!list.doubled.empty())
        refuse(place, "one class for each picture", list.doubled);
    std::vector<std::string> texts;
    std::size_t unknown = 0;
    for (const std::string& id : parts.ids) {
        const auto found = list.classes.find(id);
        unknown += found == list.classes.end() ? 1U : 0U;
        texts.push_back(found == list.classes.end() ? "none" : found->second);
    }
    if (unknown == texts.size()) {
        if (!list.classes.empty())
            parts.source.notes.push_back(place + ": classes left out, as none of its names is that of a picture: " +
                                         inQuotes(list.classes.begin()->first) + " is none of " +
                                         inQuotes(parts.ids.front()) + ", ...");
        return {};
    }
    if (unknown == 0)
        return labelsFromDecimals(texts);
    parts.source.notes.push_back(place + ": no class for " + std::to_string(unknown) +
                                 (unknown == 1 ? " picture" : " pictures") + ", here called 'none'");
    return labelsFromText(texts);
}

} // namespace

bool recognisesPictureZip(const InputFile& input) {
    return zipContentOf(input) == ZipContent::Pictures;
}

EmbeddingParts readPictureZip(const InputFile& input, const std::string& key, const JobContext& job) {
    requireClassesKey(input.name(), key, "a zip archive of pictures");
    const auto pictures = std::make_shared<const ZipPictures>(input);
    EmbeddingParts parts = embedPictureFiles(pictures, input.name(), job);
    if (!pictures->others().empty())
        parts.source.notes.push_back(input.name() + ": " +
                                     leftOut("left out, no pictures by name", pictures->others()));
    const std::string place = placeOf(input.name(), std::string(kLabelFile));
    const auto list = pictures->labelFile(place);
    parts.source.key = key;
    if (list) {
        parts.labels = classesByList(*list, parts, place);
        return parts;
    }
    FolderClasses classes = classesOfFolders(parts.ids, key, input.name());
    parts.labels = std::move(classes.labels);
    if (!classes.note.empty())
        parts.source.notes.push_back(std::move(classes.note));
    return parts;
}

} // namespace assay
