#include "engine/report/parts/sample_picture.h"

#include "engine/data/embedding_set.h"
#include "engine/io/pictures/picture_files.h"
#include "engine/report/parts/html_writer.h"

#include <openssl/evp.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace assay::report {
namespace {

/// Reduces a picture: each pixel is the mean of the pixels that it replaces.
std::vector<std::uint8_t> averaged(const PixelView& from, std::size_t height, std::size_t width) {
    std::vector<std::uint8_t> pixels(height * width * from.channels);
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x)
            for (std::size_t c = 0; c < from.channels; ++c) {
                std::size_t sum = 0;
                std::size_t count = 0;
                for (std::size_t v = y * from.height / height; v < (y + 1) * from.height / height; ++v)
                    for (std::size_t u = x * from.width / width; u < (x + 1) * from.width / width; ++u, ++count)
                        sum += from.pixels[(v * from.width + u) * from.channels + c];
                pixels[(y * width + x) * from.channels + c] = static_cast<std::uint8_t>((sum + count / 2) / count);
            }
    return pixels;
}

} // namespace

std::string base64(std::span<const std::byte> bytes) {
    std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0'); // one more for the terminating zero
    const int length =
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                        reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(length));
    return text;
}

ReducedPicture reducedPicture(const EmbeddingSet& set, std::size_t row, std::size_t longest) {
    const ImageStore* store = set.images();
    if (store == nullptr || store->bytesPerImage() == 0)
        return {};
    ReducedPicture picture{store->pixels(row), store->height(), store->width(), store->channels()};
    const std::size_t side = std::max(picture.height, picture.width);
    if (picture.pixels.empty() || side <= longest)
        return picture;
    const std::size_t height = std::max<std::size_t>(1, picture.height * longest / side);
    const std::size_t width = std::max<std::size_t>(1, picture.width * longest / side);
    const PixelView whole{picture.pixels, picture.height, picture.width, picture.channels};
    return {averaged(whole, height, width), height, width, picture.channels};
}

SamplePicture samplePicture(const EmbeddingSet& set, std::size_t row, std::size_t longest) {
    const ReducedPicture picture = reducedPicture(set, row, longest);
    if (picture.pixels.empty())
        return {};
    const std::string png = pngBytes({picture.pixels, picture.height, picture.width, picture.channels});
    return {"data:image/png;base64," + base64(std::as_bytes(std::span(png))), picture.width, picture.height};
}

std::string sampleName(const EmbeddingSet& set, std::size_t row) {
    std::string name = set.hasIds() ? set.idText(row) : "row " + std::to_string(row);
    if (set.hasLabel(row))
        name += ", class " + set.labelText(row);
    return name;
}

void drawSample(HtmlWriter& html, const EmbeddingSet& set, std::size_t row, PictureSize size,
                const std::string& about) {
    const auto longest = static_cast<std::size_t>(size);
    const SamplePicture picture = samplePicture(set, row, size == PictureSize::Large ? kThumbnail : longest);
    if (picture.dataUri.empty()) {
        html.leaf("span", sampleName(set, row), {{"class", size == PictureSize::Large ? "tile own" : "tile"}});
        return;
    }
    const std::size_t side = std::max(picture.width, picture.height);
    html.empty("img", {{"src", picture.dataUri},
                       {"alt", about},
                       {"width", std::to_string(std::max<std::size_t>(1, picture.width * longest / side))},
                       {"height", std::to_string(std::max<std::size_t>(1, picture.height * longest / side))}});
}

} // namespace assay::report
