#include "engine/io/readers/formats.h"

#include "engine/base/error.h"
#include "engine/io/archives/zip_file.h"
#include "engine/io/files/picture_names.h"
#include "engine/io/files/refusal.h"
#include "engine/io/pictures/picture_files.h"
#include "engine/io/preparation/folder_classes.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

namespace assay {
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
                others_.push_back("'" + printable(name) + "'");
        }
        std::ranges::sort(found);
        for (auto& [name, index] : found) {
            if (!paths_.empty() && paths_.back() == name)
                refuse(input.name(), "each picture once", "'" + printable(name) + "' more than once");
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
            doubled = "'" + printable(name_) + "' with " + known->second + " and " + text;
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
            parts.source.notes.push_back(place + ": classes left out, as none of its names is that of a picture: '" +
                                         printable(list.classes.begin()->first) + "' is none of '" +
                                         printable(parts.ids.front()) + "', ...");
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
