#include "engine/io/pictures/pixel_embedding.h"

#include "engine/base/available_memory.h"
#include "engine/base/parallel.h"
#include "engine/io/files/refusal.h"

#include <fmt/format.h>

#include <algorithm>

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
            picture.pixels.push_back(static_cast<std::uint8_t>((value * alpha + 255U * (255U - alpha) + 127U) / 255U));
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

} // namespace assay
