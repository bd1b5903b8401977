#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// A decoded picture: height x width x 3 (red, green, blue), 8 bits each, top row first.
struct RgbPicture {
    std::size_t width = 0;
    std::size_t height = 0;
    std::vector<std::uint8_t> pixels;
    bool isFirstOfSeveral = false; ///< the file has more pages (TIFF) or frames (GIF)
};

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

} // namespace assay
