#include "engine/io/pictures/decode_picture.h"

#include "engine/base/available_memory.h"
#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/io/files/input_file.h"
#include "engine/io/pictures/picture_decoders.h"

#include <png.h>
#include <webp/decode.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>

namespace assay {
namespace {

using Bytes = std::span<const std::byte>;

const std::uint8_t* data(Bytes file) {
    return reinterpret_cast<const std::uint8_t*>(file.data());
}

bool startsWith(Bytes file, std::string_view magic, std::size_t at = 0) {
    return file.size() >= at + magic.size() && std::memcmp(file.data() + at, magic.data(), magic.size()) == 0;
}

RgbPicture decodePng(Bytes file) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    const std::unique_ptr<png_image, decltype(&png_image_free)> cleanup(&image, png_image_free);
    if (png_image_begin_read_from_memory(&image, file.data(), file.size()) == 0)
        refusePicture("a whole PNG", image.message);
    // When a file does not specify gamma, 16-bit values have the same encoding as 8-bit values.
    image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
    image.format = PNG_FORMAT_RGB;
    RgbPicture picture = emptyPicture(image.width, image.height);
    constexpr png_color white{255, 255, 255};
    if (png_image_finish_read(&image, &white, picture.pixels.data(), 0, nullptr) == 0)
        refusePicture("a whole PNG", image.message);
    return picture;
}

RgbPicture decodeWebp(Bytes file) {
    WebPBitstreamFeatures features{};
    if (WebPGetFeatures(data(file), file.size(), &features) != VP8_STATUS_OK)
        refusePicture("a whole WebP", "a damaged one");
    if (features.has_animation != 0)
        refusePicture("a still WebP", "an animation");
    RgbPicture picture =
        emptyPicture(static_cast<std::size_t>(features.width), static_cast<std::size_t>(features.height), 8);
    const std::size_t pixels = picture.width * picture.height;
    std::vector<std::uint8_t> rgba(pixels * 4);
    if (!WebPDecodeRGBAInto(data(file), file.size(), rgba.data(), rgba.size(), features.width * 4))
        refusePicture("a whole WebP", "a damaged one");
    for (std::size_t i = 0; i < pixels; ++i)
        for (std::size_t c = 0; c < 3; ++c)
            picture.pixels[3 * i + c] = onWhite(rgba[4 * i + c], rgba[4 * i + 3]);
    return picture;
}

std::uint32_t little(Bytes file, std::size_t at, std::size_t count) {
    return static_cast<std::uint32_t>(littleEndian(file.subspan(at, count)));
}

/// Uncompressed pixels of 24 or 32 bits, the variant that current programs write.
RgbPicture decodeBmp(Bytes file) {
    constexpr std::size_t headers = 54;
    if (file.size() < headers)
        refusePicture("a whole BMP", std::to_string(file.size()) + " bytes");
    const std::size_t start = little(file, 10, 4);
    const auto width = static_cast<std::int32_t>(little(file, 18, 4));
    const auto height = static_cast<std::int32_t>(little(file, 22, 4));
    const std::size_t bits = little(file, 28, 2);
    if ((bits != 24 && bits != 32) || little(file, 30, 4) != 0)
        refusePicture("a BMP of 24 or 32 bits, not compressed",
                      std::to_string(bits) + " bits, compression " + std::to_string(little(file, 30, 4)));
    const std::int64_t rows = std::abs(static_cast<std::int64_t>(height)); // negative: from the top
    RgbPicture picture = emptyPicture(static_cast<std::size_t>(std::max(width, 0)), static_cast<std::size_t>(rows));
    const std::size_t stride = (picture.width * bits / 8 + 3) / 4 * 4;
    if (start > file.size() || stride * picture.height > file.size() - start)
        refusePicture("a whole BMP", "one that ends early");
    for (std::size_t y = 0; y < picture.height; ++y) {
        const std::size_t line = start + stride * (height > 0 ? picture.height - 1 - y : y);
        for (std::size_t x = 0; x < picture.width; ++x)
            for (std::size_t c = 0; c < 3; ++c)
                picture.pixels[(y * picture.width + x) * 3 + c] =
                    std::to_integer<std::uint8_t>(file[line + x * bits / 8 + 2 - c]);
    }
    return picture;
}

bool isPng(Bytes head) {
    return startsWith(head, "\x89PNG");
}

bool isJpeg(Bytes head) {
    return startsWith(head, "\xff\xd8");
}

bool isWebp(Bytes head) {
    return startsWith(head, "RIFF") && startsWith(head, "WEBP", 8);
}

bool isBmp(Bytes head) {
    return startsWith(head, "BM");
}

bool isGif(Bytes head) {
    return startsWith(head, "GIF87a") || startsWith(head, "GIF89a");
}

/// Of 32 bits or of 64 (BigTIFF), in either byte order.
bool isTiff(Bytes head) {
    return startsWith(head, {"II*\0", 4}) || startsWith(head, {"MM\0*", 4}) || startsWith(head, {"II+\0", 4}) ||
           startsWith(head, {"MM\0+", 4});
}

struct PictureFormat {
    bool (*recognises)(Bytes head);
    RgbPicture (*decode)(Bytes file);
};

constexpr std::array<PictureFormat, 6> kFormats{{{isPng, decodePng},
                                                 {isJpeg, decodeJpeg},
                                                 {isWebp, decodeWebp},
                                                 {isBmp, decodeBmp},
                                                 {isGif, decodeGif},
                                                 {isTiff, decodeTiff}}};

const PictureFormat* formatOf(Bytes head) {
    return findBy(
        kFormats, [&](const PictureFormat& format) { return format.recognises(head); }, true);
}

} // namespace

void refusePicture(const std::string& expected, const std::string& found) {
    throw Error(ErrorKind::BadInput, "expected " + expected + ", found " + found);
}

RgbPicture emptyPicture(std::size_t width, std::size_t height, std::size_t workBytes) {
    const std::string found = std::to_string(width) + " x " + std::to_string(height);
    if (width == 0 || height == 0)
        refusePicture("a picture with pixels", found);
    if (width > kMaxPicturePixels / height)
        refusePicture("at most " + std::to_string(kMaxPicturePixels) + " pixels", found);
    // Other threads decode pictures, too, and have to see that the memory is taken.
    static std::mutex taking;
    const std::scoped_lock lock(taking);
    requireMemory(width * height * (3 + workBytes), "a picture of " + found);
    return {width, height, std::vector<std::uint8_t>(width * height * 3)};
}

bool isPictureHead(Bytes head) {
    return formatOf(head) != nullptr;
}

RgbPicture decodePicture(Bytes file) {
    if (const PictureFormat* format = formatOf(file))
        return format->decode(file);
    refusePicture("a PNG, JPEG, WebP, BMP, GIF or TIFF", file.empty() ? "an empty file" : "something else");
}

} // namespace assay
