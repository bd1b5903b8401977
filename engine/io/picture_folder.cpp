#include "engine/io/formats.h"
#include "engine/io/refusal.h"
#include "engine/io/sha256.h"
#include "engine/job/error.h"
#include "engine/job/parallel.h"
#include "engine/pictures/decode_picture.h"
#include "engine/pictures/scale_picture.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFields = 16;            ///< across and down, of the built-in embedding
constexpr std::size_t kMostSide = 256;         ///< pictures of one size up to this are shown as they are
constexpr std::size_t kShownSide = 128;        ///< the longer side of what is shown of all others
constexpr std::uintmax_t kMostBytes = 1 << 28; ///< of one picture's file
constexpr std::size_t kNamed = 5;              ///< of files that are left out, as many are named

/// Means of 16 x 16 fields.
const char* const kWhatItSees = "no embeddings: scored by the built-in pixels-16x16, which sees layout and colour, but "
                                "neither detail nor meaning; embed the pictures with a network for scores to rely on";

/// A picture's file, as it was when it was listed.
struct PictureFile {
    std::string path; ///< below the folder, parts separated by '/'
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

bool isHidden(const fs::path& path) {
    return path.filename().string().starts_with('.');
}

/// What a folder holds, at any depth. Links to folders are not followed: they may lead back.
struct Listing {
    std::vector<std::string> pictures; ///< ascending by the whole path
    std::vector<std::string> others;
};

Listing list(const fs::path& folder, const JobContext& job) {
    Listing listing;
    std::error_code failure;
    fs::recursive_directory_iterator at(folder, failure);
    for (const fs::recursive_directory_iterator end; !failure && at != end; at.increment(failure)) {
        job.checkpoint(0.0);
        std::error_code ignored;
        if (isHidden(at->path())) {
            at.disable_recursion_pending();
        } else if (at->is_regular_file(ignored)) {
            const std::string path = at->path().lexically_relative(folder).generic_string();
            (isNamedPicture(path) ? listing.pictures : listing.others).push_back(path);
        }
    }
    if (failure)
        refuse(folder.string(), "a folder that can be read", failure.message());
    std::ranges::sort(listing.pictures);
    std::ranges::sort(listing.others);
    return listing;
}

std::vector<std::byte> bytesOf(const fs::path& folder, const PictureFile& file) {
    if (file.bytes > kMostBytes)
        refuse("its file", "at most " + std::to_string(kMostBytes) + " bytes", std::to_string(file.bytes));
    std::ifstream stream(folder / file.path, std::ios::binary);
    std::vector<std::byte> bytes(file.bytes);
    if (!stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
        refuse("its file", "to be readable", "it cannot be read");
    return bytes;
}

/// Pictures that are decoded from their files whenever they are looked at.
class FolderPixels : public PixelSource {
public:
    /// @param width,height of what is shown; all pictures of just this size, or fitted in with a transparent border
    FolderPixels(fs::path folder, std::vector<PictureFile> files, std::size_t width, std::size_t height, bool fitted)
        : folder_(std::move(folder)), files_(std::move(files)), width_(width), height_(height), fitted_(fitted) {}

    bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
        try {
            const std::size_t size = width_ * height_ * (fitted_ ? 4 : 3);
            while (!into.empty()) {
                const std::vector<std::uint8_t> shown = picture(files_.at(offset / size));
                const std::size_t begin = offset % size;
                const std::size_t count = std::min(into.size(), size - begin);
                std::copy_n(shown.begin() + static_cast<std::ptrdiff_t>(begin), count, into.begin());
                into = into.subspan(count);
                offset += count;
            }
            return true;
        } catch (const std::exception&) {
            return false;
        }
    }

private:
    std::vector<std::uint8_t> picture(const PictureFile& file) const {
        if (look(folder_, file.path) != file)
            refuse(file.path, "the picture that was scored", "another one");
        RgbPicture decoded = decodePicture(bytesOf(folder_, file));
        return fitted_ ? fit(decoded) : std::move(decoded.pixels);
    }

    std::vector<std::uint8_t> fit(const RgbPicture& decoded) const {
        const double scale = static_cast<double>(width_) / static_cast<double>(std::max(decoded.width, decoded.height));
        const auto scaled = [&](std::size_t side) {
            return std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(static_cast<double>(side) * scale)), 1,
                                           width_);
        };
        const std::size_t width = scaled(decoded.width);
        const std::size_t height = scaled(decoded.height);
        const std::vector<float> colors = meanColors(decoded, width, height);
        std::vector<std::uint8_t> shown(width_ * height_ * 4);
        for (std::size_t y = 0; y < height; ++y)
            for (std::size_t x = 0; x < width; ++x) {
                std::uint8_t* pixel = &shown[((y + (height_ - height) / 2) * width_ + x + (width_ - width) / 2) * 4];
                for (std::size_t c = 0; c < 3; ++c)
                    pixel[c] = static_cast<std::uint8_t>(std::lround(colors[(y * width + x) * 3 + c]));
                pixel[3] = 255;
            }
        return shown;
    }

    fs::path folder_;
    std::vector<PictureFile> files_;
    std::size_t width_, height_;
    bool fitted_;
};

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
        picture.file = look(folder, path);
        if (!picture.file)
            refuse("its file", "to be readable", "it is gone");
        const std::vector<std::byte> bytes = bytesOf(folder, *picture.file);
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

/// The first folder below is the class, where every picture lies in one and there are several.
ClassLabels classesOf(const std::vector<std::string>& ids) {
    std::vector<std::string> names;
    for (const std::string& id : ids) {
        const std::size_t slash = id.find('/');
        if (slash == std::string::npos)
            return {};
        names.push_back(id.substr(0, slash));
    }
    ClassLabels labels = labelsFromText(names);
    return labels.names.size() > 1 ? labels : ClassLabels{};
}

std::shared_ptr<const ImageStore> shown(const fs::path& folder, const std::vector<const Embedded*>& pictures) {
    std::vector<PictureFile> files;
    files.reserve(pictures.size());
    for (const Embedded* picture : pictures)
        files.push_back(*picture->file);
    const std::size_t width = pictures.front()->width;
    const std::size_t height = pictures.front()->height;
    const bool alike = std::max(width, height) <= kMostSide && std::ranges::all_of(pictures, [&](const Embedded* p) {
                           return p->width == width && p->height == height;
                       });
    const std::size_t rows = files.size();
    if (alike)
        return std::make_shared<const ImageStore>(
            std::make_shared<const FolderPixels>(folder, std::move(files), width, height, false), rows, height, width,
            3);
    return std::make_shared<const ImageStore>(
        std::make_shared<const FolderPixels>(folder, std::move(files), kShownSide, kShownSide, true), rows, kShownSide,
        kShownSide, 4);
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
        if (isHidden(at->path()))
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
    const Listing listing = list(folder, job);
    std::vector<Embedded> pictures(listing.pictures.size());
    parallelFor(pictures.size(), 0, job,
                [&](std::size_t i, unsigned) { pictures[i] = embed(folder, listing.pictures[i]); });

    EmbeddingParts parts;
    parts.dim = kFields * kFields * 3;
    parts.source.sha256 = hashOf(listing.pictures, pictures);
    parts.source.notes.push_back(input.name() + ": " + kWhatItSees);
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
    parts.labels = classesOf(parts.ids);
    parts.images = shown(folder, good);
    return parts;
}

} // namespace assay
