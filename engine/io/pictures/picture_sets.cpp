#include "engine/io/pictures/picture_sets.h"

#include "engine/base/available_memory.h"
#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/base/sha256.h"
#include "engine/io/files/refusal.h"
#include "engine/io/pictures/picture_files.h"
#include "engine/io/preparation/built_in.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace assay {
namespace {

/// The pixels of a line, from `first` on, that one cell covers, and the weight of each.
struct Field {
    std::size_t first = 0;
    std::vector<double> weights; ///< sum is 1
};

std::vector<Field> fieldsOf(std::size_t pixels, std::size_t fields) {
    std::vector<Field> all(fields);
    const double width = static_cast<double>(pixels) / static_cast<double>(fields);
    for (std::size_t f = 0; f < fields; ++f) {
        // Integers decide where a cell begins and ends, so that no cell reads beyond the picture.
        const std::size_t first = f * pixels / fields;
        const std::size_t last = ((f + 1) * pixels + fields - 1) / fields;
        const double begin = static_cast<double>(f * pixels) / static_cast<double>(fields);
        const double end = static_cast<double>((f + 1) * pixels) / static_cast<double>(fields);
        all[f].first = first;
        for (std::size_t p = first; p < last; ++p)
            all[f].weights.push_back(
                (std::min(end, static_cast<double>(p + 1)) - std::max(begin, static_cast<double>(p))) / width);
    }
    return all;
}

} // namespace

std::vector<float> meanColors(const RgbPicture& picture, std::size_t width, std::size_t height) {
    const std::vector<Field> columns = fieldsOf(picture.width, width);
    const std::vector<Field> rows = fieldsOf(picture.height, height);
    std::vector<float> means;
    means.reserve(width * height * 3);
    for (const Field& row : rows)
        for (const Field& column : columns)
            for (std::size_t c = 0; c < 3; ++c) {
                double sum = 0.0;
                for (std::size_t y = 0; y < row.weights.size(); ++y) {
                    const std::size_t line = (row.first + y) * picture.width + column.first;
                    double lineSum = 0.0;
                    for (std::size_t x = 0; x < column.weights.size(); ++x)
                        lineSum += column.weights[x] * picture.pixels[(line + x) * 3 + c];
                    sum += row.weights[y] * lineSum;
                }
                means.push_back(static_cast<float>(sum));
            }
    return means;
}

namespace {

constexpr std::size_t kMaxPictures = std::size_t{1} << 22;

/// Grey becomes three equal channels; transparent pixels are blended with white.
RgbPicture rgbOf(const ImageStore& images, const std::vector<std::uint8_t>& pixels) {
    const std::size_t channels = images.channels();
    RgbPicture picture{images.width(), images.height(), {}};
    picture.pixels.reserve(images.width() * images.height() * 3);
    for (std::size_t at = 0; at + channels <= pixels.size(); at += channels)
        for (std::size_t c = 0; c < 3; ++c) {
            const unsigned value = pixels[channels == 1 ? at : at + c];
            const unsigned alpha = channels == 4 ? pixels[at + 3] : 255U;
            picture.pixels.push_back(onWhite(value, alpha));
        }
    return picture;
}

} // namespace

std::vector<float> pixelEmbedding(const RgbPicture& picture) {
    std::vector<float> values = meanColors(picture, kPixelFieldsAcross, kPixelFieldsAcross);
    for (float& value : values)
        value /= 255.0F;
    return values;
}

EmbeddingParts embedPictures(std::shared_ptr<const ImageStore> images, const std::string& file, const JobContext& job) {
    EmbeddingParts parts;
    parts.rows = images->rows();
    parts.dim = kPixelEmbeddingDim;
    if (parts.rows == 0 || images->bytesPerImage() == 0)
        refuse(file, "pictures with pixels", "none");
    if (parts.rows > kMaxPictures || images->width() > kMaxPicturePixels / images->height())
        refuse(file, fmt::format("at most {} pictures of at most {} pixels", kMaxPictures, kMaxPicturePixels),
               fmt::format("{} of {} x {}", parts.rows, images->width(), images->height()));
    requireMemory(parts.rows * parts.dim * sizeof(float), file);
    std::vector<float> values(parts.rows * parts.dim);
    parallelFor(parts.rows, 0, job, [&](std::size_t row, unsigned) {
        const std::vector<std::uint8_t> pixels = images->pixels(row);
        if (pixels.empty())
            refuse(file, "a file that stays as it is while it is read",
                   "that picture " + std::to_string(row) + " (counted from 0) cannot be read any more");
        const std::vector<float> embedding = pixelEmbedding(rgbOf(*images, pixels));
        std::ranges::copy(embedding, values.begin() + static_cast<std::ptrdiff_t>(row * parts.dim));
    });
    parts.values = FloatStorage(std::move(values));
    parts.images = std::move(images);
    parts.source.builtIn = kPixelEmbedding;
    return parts;
}

namespace {

constexpr std::size_t kMaxSide = 256;   ///< pictures of equal size up to this are displayed unscaled
constexpr std::size_t kShownSide = 128; ///< longer side of all other pictures when displayed
constexpr std::size_t kNamed = 5;       ///< number of left-out files that a note names

class DecodedPixels : public PiecewisePixels {
public:
    DecodedPixels(std::shared_ptr<const PictureFiles> files, std::vector<std::size_t> which, const DisplaySize& size)
        : PiecewisePixels(size.width * size.height * (size.alike ? 3 : 4)), files_(std::move(files)),
          which_(std::move(which)), size_(size) {}

private:
    std::size_t copyPiece(std::size_t row, std::size_t begin, std::span<std::uint8_t> into) const override {
        return copyFrom(picture(which_.at(row)), begin, into);
    }

    std::vector<std::uint8_t> picture(std::size_t file) const {
        RgbPicture decoded = decodePicture(files_->bytes(file));
        if (!size_.alike)
            return fit(decoded);
        if (decoded.width != size_.width || decoded.height != size_.height)
            refuse("its file", "the picture that was listed", "another one");
        return std::move(decoded.pixels);
    }

    std::vector<std::uint8_t> fit(const RgbPicture& decoded) const {
        const auto across = static_cast<double>(decoded.width);
        const auto down = static_cast<double>(decoded.height);
        const double scale =
            std::min(static_cast<double>(size_.width) / across, static_cast<double>(size_.height) / down);
        const auto scaled = [&](double side, std::size_t most) {
            return std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(side * scale)), 1, most);
        };
        const std::size_t width = scaled(across, size_.width);
        const std::size_t height = scaled(down, size_.height);
        const std::vector<float> colors = meanColors(decoded, width, height);
        std::vector<std::uint8_t> shown(size_.width * size_.height * 4);
        for (std::size_t y = 0; y < height; ++y)
            for (std::size_t x = 0; x < width; ++x) {
                std::uint8_t* pixel =
                    &shown[((y + (size_.height - height) / 2) * size_.width + x + (size_.width - width) / 2) * 4];
                for (std::size_t c = 0; c < 3; ++c)
                    pixel[c] = static_cast<std::uint8_t>(std::lround(colors[(y * width + x) * 3 + c]));
                pixel[3] = 255;
            }
        return shown;
    }

    std::shared_ptr<const PictureFiles> files_;
    std::vector<std::size_t> which_;
    DisplaySize size_;
};

/// Result of reading one picture file.
struct Embedded {
    std::string sha256;
    std::string problem; ///< why the picture is left out; empty: it is used
    std::size_t width = 0, height = 0;
    bool isFirstOfSeveral = false; ///< as RgbPicture::isFirstOfSeveral
    bool lacksMemory = false;      ///< `problem` is that memory is not enough
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
        picture.isFirstOfSeveral = decoded.isFirstOfSeveral;
        picture.values = pixelEmbedding(decoded);
    } catch (const Error& error) {
        picture.problem = error.what();
        picture.lacksMemory = error.kind() == ErrorKind::NotEnoughMemory;
    }
    return picture;
}

/// Decodes the pictures again for which memory was not enough beside others.
/// @throws Error{NotEnoughMemory} when it is not enough for one alone, either
void embedAlone(const PictureFiles& files, std::vector<Embedded>& pictures, const std::string& name,
                const JobContext& job) {
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        if (!pictures[i].lacksMemory)
            continue;
        job.throwIfStopped();
        pictures[i] = embed(files, i);
        if (pictures[i].lacksMemory)
            throw Error(ErrorKind::NotEnoughMemory,
                        name + ": " + inQuotes(files.paths()[i]) + ": " + pictures[i].problem);
    }
}

/// SHA-256 of the lines that `sha256sum` prints for all files.
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
    const bool alike = std::ranges::all_of(
        good, [&](std::size_t i) { return pictures[i].width == width && pictures[i].height == height; });
    return shownPictures(files, std::move(good), DisplaySize::of(width, height, alike));
}

} // namespace

DisplaySize DisplaySize::of(std::size_t width, std::size_t height, bool alike) {
    return alike && std::max(width, height) <= kMaxSide ? DisplaySize{width, height, true}
                                                        : DisplaySize{kShownSide, kShownSide, false};
}

std::shared_ptr<const ImageStore> shownPictures(std::shared_ptr<const PictureFiles> files,
                                                std::vector<std::size_t> which, const DisplaySize& size) {
    const std::size_t rows = which.size();
    auto pixels = std::make_shared<const DecodedPixels>(std::move(files), std::move(which), size);
    return std::make_shared<const ImageStore>(std::move(pixels), rows, size.height, size.width, size.alike ? 3 : 4);
}

std::string leftOut(const std::string& what, const std::vector<std::string>& names) {
    return std::to_string(names.size()) + (names.size() == 1 ? " file " : " files ") + what + ": " +
           joined(names, ", ", {}, kNamed);
}

EmbeddingParts embedPictureFiles(const std::shared_ptr<const PictureFiles>& files, const std::string& name,
                                 const JobContext& job) {
    const std::vector<std::string>& paths = files->paths();
    // Twice, of each and of all.
    requireMemory(paths.size() * (sizeof(Embedded) + 2 * kPixelEmbeddingDim * sizeof(float)), name);
    std::vector<Embedded> pictures(paths.size());
    parallelFor(pictures.size(), 0, job, [&](std::size_t i, unsigned) { pictures[i] = embed(*files, i); });
    embedAlone(*files, pictures, name, job);
    EmbeddingParts parts;
    parts.dim = kPixelEmbeddingDim;
    parts.source.sha256 = hashOfFiles(paths, pictures);
    parts.source.builtIn = kPixelEmbedding;
    std::vector<float> values;
    values.reserve(pictures.size() * parts.dim);
    std::vector<std::string> bad;
    std::vector<std::string> several;
    std::vector<std::size_t> good;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        if (!pictures[i].problem.empty()) {
            bad.push_back(inQuotes(paths[i]) + " (" + pictures[i].problem + ")");
            continue;
        }
        good.push_back(i);
        parts.ids.push_back(paths[i]);
        if (pictures[i].isFirstOfSeveral)
            several.push_back(inQuotes(paths[i]));
        values.insert(values.end(), pictures[i].values.begin(), pictures[i].values.end());
    }
    if (good.empty())
        refuse(name, "pictures", bad.empty() ? "none" : leftOut("not to be decoded", bad));
    if (!bad.empty())
        parts.source.notes.push_back(name + ": " + leftOut("left out, not to be decoded", bad));
    if (!several.empty())
        parts.source.notes.push_back(name + ": " +
                                     leftOut("of several frames or pages, of which the first is taken", several));
    parts.rows = good.size();
    parts.values = FloatStorage(std::move(values));
    parts.images = shown(files, pictures, std::move(good));
    return parts;
}

} // namespace assay
