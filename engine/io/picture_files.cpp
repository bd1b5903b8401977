#include "engine/io/picture_files.h"

#include "engine/io/pixel_embedding.h"
#include "engine/io/refusal.h"
#include "engine/io/sha256.h"
#include "engine/job/error.h"
#include "engine/job/parallel.h"
#include "engine/pictures/decode_picture.h"
#include "engine/pictures/scale_picture.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace assay {
namespace {

constexpr std::size_t kMostSide = 256;  ///< pictures of one size up to this are shown as they are
constexpr std::size_t kShownSide = 128; ///< the longer side of what is shown of all others
constexpr std::size_t kNamed = 5;       ///< of files that are left out, as many are named

/// Pictures that are decoded from their files whenever they are looked at.
class DecodedPixels : public PixelSource {
public:
    /// @param indices of the files that are shown
    /// @param width,height of what is shown; all pictures of just this size, or fitted in with a transparent border
    DecodedPixels(std::shared_ptr<const PictureFiles> files, std::vector<std::size_t> indices, std::size_t width,
                  std::size_t height, bool fitted)
        : files_(std::move(files)), indices_(std::move(indices)), width_(width), height_(height), fitted_(fitted) {}

    bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
        try {
            const std::size_t size = width_ * height_ * (fitted_ ? 4 : 3);
            while (!into.empty()) {
                const std::vector<std::uint8_t> shown = picture(indices_.at(offset / size));
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
    std::vector<std::uint8_t> picture(std::size_t file) const {
        RgbPicture decoded = decodePicture(files_->bytes(file));
        if (fitted_)
            return fit(decoded);
        if (decoded.width != width_ || decoded.height != height_)
            refuse("its file", "the picture that was scored", "another one");
        return std::move(decoded.pixels);
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

    std::shared_ptr<const PictureFiles> files_;
    std::vector<std::size_t> indices_;
    std::size_t width_, height_;
    bool fitted_;
};

/// What reading a picture's file tells.
struct Embedded {
    std::string sha256;
    std::string problem; ///< empty: none
    std::size_t width = 0, height = 0;
    std::vector<float> values;
};

Embedded embed(const PictureFiles& files, std::size_t file) {
    Embedded picture;
    try {
        const std::vector<std::byte> bytes = files.bytes(file);
        picture.sha256 = sha256OfBytes(bytes);
        const RgbPicture decoded = decodePicture(bytes);
        picture.width = decoded.width;
        picture.height = decoded.height;
        picture.values = pixelEmbedding(decoded);
    } catch (const Error& error) {
        picture.problem = error.what();
    }
    return picture;
}

/// As `sha256sum` over all files, and that once more through it.
std::string hashOfFiles(const std::vector<std::string>& paths, const std::vector<Embedded>& pictures) {
    std::string lines;
    for (std::size_t i = 0; i < paths.size(); ++i)
        lines.append(pictures[i].sha256).append("  ").append(paths[i]).append("\n");
    return sha256OfBytes(std::as_bytes(std::span(lines)));
}

std::shared_ptr<const ImageStore> shown(const std::shared_ptr<const PictureFiles>& files,
                                        const std::vector<Embedded>& pictures, std::vector<std::size_t> good) {
    const std::size_t width = pictures[good.front()].width;
    const std::size_t height = pictures[good.front()].height;
    const bool alike = std::max(width, height) <= kMostSide && std::ranges::all_of(good, [&](std::size_t i) {
                           return pictures[i].width == width && pictures[i].height == height;
                       });
    const std::size_t rows = good.size();
    if (alike)
        return std::make_shared<const ImageStore>(
            std::make_shared<const DecodedPixels>(files, std::move(good), width, height, false), rows, height, width,
            3);
    return std::make_shared<const ImageStore>(
        std::make_shared<const DecodedPixels>(files, std::move(good), kShownSide, kShownSide, true), rows, kShownSide,
        kShownSide, 4);
}

} // namespace

std::string leftOut(const std::string& what, const std::vector<std::string>& names) {
    std::string text = std::to_string(names.size()) + (names.size() == 1 ? " file " : " files ") + what + ": ";
    for (std::size_t i = 0; i < std::min(kNamed, names.size()); ++i)
        text += (i > 0 ? ", " : "") + names[i];
    return names.size() > kNamed ? text + " and " + std::to_string(names.size() - kNamed) + " more" : text;
}

ClassLabels classesOfFolders(const std::vector<std::string>& paths) {
    std::vector<std::string> names;
    for (const std::string& path : paths) {
        const std::size_t slash = path.find('/');
        if (slash == std::string::npos)
            return {};
        names.push_back(path.substr(0, slash));
    }
    ClassLabels labels = labelsFromText(names);
    return labels.names.size() > 1 ? labels : ClassLabels{};
}

EmbeddingParts embedPictureFiles(const std::shared_ptr<const PictureFiles>& files, const std::string& name,
                                 const JobContext& job) {
    const std::vector<std::string>& paths = files->paths();
    std::vector<Embedded> pictures(paths.size());
    parallelFor(pictures.size(), 0, job, [&](std::size_t i, unsigned) { pictures[i] = embed(*files, i); });
    EmbeddingParts parts;
    parts.dim = kPixelEmbeddingDim;
    parts.source.sha256 = hashOfFiles(paths, pictures);
    parts.source.notes.push_back(pixelEmbeddingNote(name));
    std::vector<float> values;
    values.reserve(pictures.size() * parts.dim);
    std::vector<std::string> bad;
    std::vector<std::size_t> good;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        if (!pictures[i].problem.empty()) {
            bad.push_back("'" + printable(paths[i]) + "' (" + pictures[i].problem + ")");
            continue;
        }
        good.push_back(i);
        parts.ids.push_back(paths[i]);
        values.insert(values.end(), pictures[i].values.begin(), pictures[i].values.end());
    }
    if (good.empty())
        refuse(name, "pictures", bad.empty() ? "none" : leftOut("not to be decoded", bad));
    if (!bad.empty())
        parts.source.notes.push_back(name + ": " + leftOut("left out, not to be decoded", bad));
    parts.rows = good.size();
    parts.values = FloatStorage(std::move(values));
    parts.images = shown(files, pictures, std::move(good));
    return parts;
}

} // namespace assay
