#include "engine/io/formats.h"
#include "engine/io/picture_files.h"
#include "engine/io/refusal.h"
#include "engine/io/sample_lists.h"
#include "engine/io/sha256.h"
#include "engine/job/error.h"
#include "engine/job/parallel.h"
#include "engine/pictures/decode_picture.h"
#include "engine/pictures/scale_picture.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFields = 16; ///< across and down, of the built-in embedding
constexpr std::size_t kNamed = 5;   ///< of files that are left out, as many are named

/// Means of 16 x 16 fields.
const char* const kWhatItSees = "no embeddings: scored by the built-in pixels-16x16, which sees layout and colour, but "
                                "neither detail nor meaning; embed the pictures with a network for scores to rely on";

/// What reading a picture's file tells.
struct Embedded {
    std::optional<PictureFile> file;
    std::string sha256;
    std::string problem; ///< empty: none
    std::size_t width = 0, height = 0;
    std::vector<float> values;
};

Embedded embed(const fs::path& folder, const std::string& path) {
    Embedded picture;
    try {
        picture.file = lookAtPicture(folder, path);
        if (!picture.file)
            refuse("its file", "to be readable", "it is gone");
        const std::vector<std::byte> bytes = readPictureFile(folder, *picture.file);
        picture.sha256 = sha256OfBytes(bytes);
        const RgbPicture decoded = decodePicture(bytes);
        picture.width = decoded.width;
        picture.height = decoded.height;
        picture.values = meanColors(decoded, kFields, kFields);
        for (float& value : picture.values)
            value /= 255.0F;
    } catch (const Error& error) {
        picture.problem = error.what();
    }
    return picture;
}

/// As `sha256sum` over all files, and that once more through it.
std::string hashOf(const std::vector<std::string>& paths, const std::vector<Embedded>& pictures) {
    std::string lines;
    for (std::size_t i = 0; i < paths.size(); ++i)
        lines.append(pictures[i].sha256).append("  ").append(paths[i]).append("\n");
    return sha256OfBytes(std::as_bytes(std::span(lines)));
}

/// "2 files ...: 'a.txt', 'b.txt'"; what is only counted is told by "and 7 more".
std::string leftOut(const std::string& what, const std::vector<std::string>& names) {
    std::string text = std::to_string(names.size()) + (names.size() == 1 ? " file " : " files ") + what + ": ";
    for (std::size_t i = 0; i < std::min(kNamed, names.size()); ++i)
        text += (i > 0 ? ", " : "") + names[i];
    return names.size() > kNamed ? text + " and " + std::to_string(names.size() - kNamed) + " more" : text;
}

std::shared_ptr<const ImageStore> shown(const fs::path& folder, const std::vector<const Embedded*>& pictures) {
    std::vector<PictureFile> files;
    files.reserve(pictures.size());
    for (const Embedded* picture : pictures)
        files.push_back(*picture->file);
    const std::size_t width = pictures.front()->width;
    const std::size_t height = pictures.front()->height;
    const bool alike =
        std::ranges::all_of(pictures, [&](const Embedded* p) { return p->width == width && p->height == height; });
    return picturesInFolder(folder, std::move(files), ShownSize::of(width, height, alike));
}

} // namespace

bool recognisesPictureFolder(const InputFile& input) {
    if (!input.isDirectory())
        return false;
    // Enough to find one in any folder of pictures, and soon done in any other.
    constexpr int kLookedAt = 100'000;
    std::error_code failure;
    fs::recursive_directory_iterator at(input.name(), failure);
    const fs::recursive_directory_iterator end;
    for (int i = 0; i < kLookedAt && !failure && at != end; ++i, at.increment(failure)) {
        std::error_code ignored;
        if (at->path().filename().string().starts_with('.'))
            at.disable_recursion_pending();
        else if (isNamedPicture(at->path().filename().string()) && at->is_regular_file(ignored))
            return true;
    }
    return false;
}

EmbeddingParts readPictureFolder(const InputFile& input, const std::string& key, const JobContext& job) {
    if (!key.empty())
        refuse(input.name(), "an archive with a key '" + printable(key) + "'", "a folder, which has no keys");
    const fs::path folder = fs::absolute(input.name());
    const FolderListing listing = listPictures(folder, PictureOrder::Path, job);
    std::vector<Embedded> pictures(listing.pictures.size());
    parallelFor(pictures.size(), 0, job,
                [&](std::size_t i, unsigned) { pictures[i] = embed(folder, listing.pictures[i]); });

    EmbeddingParts parts;
    parts.dim = kFields * kFields * 3;
    parts.source.sha256 = hashOf(listing.pictures, pictures);
    parts.source.notes.push_back(input.name() + ": " + kWhatItSees);
    parts.source.builtIn = "pixels-16x16";
    std::vector<float> values;
    values.reserve(pictures.size() * parts.dim);
    std::vector<std::string> bad;
    std::vector<const Embedded*> good;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        const std::string& path = listing.pictures[i];
        if (!pictures[i].problem.empty()) {
            bad.push_back("'" + printable(path) + "' (" + pictures[i].problem + ")");
            continue;
        }
        good.push_back(&pictures[i]);
        parts.ids.push_back(path);
        values.insert(values.end(), pictures[i].values.begin(), pictures[i].values.end());
    }
    if (good.empty())
        refuse(input.name(), "pictures", bad.empty() ? "none" : leftOut("not to be decoded", bad));
    if (!bad.empty())
        parts.source.notes.push_back(input.name() + ": " + leftOut("left out, not to be decoded", bad));
    if (!listing.others.empty()) {
        std::vector<std::string> names;
        for (const std::string& name : listing.others)
            names.push_back("'" + printable(name) + "'");
        parts.source.notes.push_back(input.name() + ": " + leftOut("left out, no pictures by name", names));
    }
    parts.rows = good.size();
    parts.values = FloatStorage(std::move(values));
    parts.labels = classesOfPaths(parts.ids);
    parts.images = shown(folder, good);
    return parts;
}

} // namespace assay
