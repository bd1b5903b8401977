#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace assay {

/// A decoded picture: height x width x 3 (red, green, blue), 8 bits each, top row first.
struct RgbPicture {
    std::size_t width = 0;
    std::size_t height = 0;
    std::vector<std::uint8_t> pixels;
    bool isFirstOfSeveral = false; ///< the file has more pages (TIFF) or frames (GIF)
};

/// Blends a channel with white. @param alpha 255: opaque
inline std::uint8_t onWhite(unsigned value, unsigned alpha) noexcept {
    return static_cast<std::uint8_t>((value * alpha + 255U * (255U - alpha) + 127U) / 255U);
}

/// Largest picture, in pixels. Larger ones are refused before memory is allocated for them.
inline constexpr std::size_t kMaxPicturePixels = std::size_t{1} << 26;

/// Number of bytes that isPictureHead() needs.
inline constexpr std::size_t kPictureHeadBytes = 12;
/// Whether a file that begins with these bytes is of a format that decodePicture() knows; it may still be damaged.
bool isPictureHead(std::span<const std::byte> head);

/// Decodes a PNG, JPEG, WebP, BMP, GIF (first frame) or TIFF file (first page); the first bytes decide the format.
/// Transparent pixels are blended with white, grey becomes three equal channels, 16 bits become 8. Thread-safe.
/// @throws Error{BadInput} with the message "expected ..., found ...", without the file's name
RgbPicture decodePicture(std::span<const std::byte> file);

/// View of pixels in the layout of ImageStore: height x width x channels, 8 bits per channel, interleaved.
struct PixelView {
    std::span<const std::uint8_t> pixels;
    std::size_t height = 0;
    std::size_t width = 0;
    std::size_t channels = 0; ///< 1 (grey), 3 (RGB) or 4 (RGBA)
};

/// Encodes a picture as a PNG file. Equal pixels always produce identical bytes.
/// @throws Error{InvalidArgument} when there are no pixels, their number does not match the size, or the number of
///         channels is not 1, 3 or 4
std::string pngBytes(const PixelView& picture);

} // namespace assay
