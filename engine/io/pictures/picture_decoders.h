#pragma once

#include "engine/io/pictures/decode_picture.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

// Parts of decodePicture(). Every call makes its own decoder of the library, so calls may run in several threads at the
// same time.

namespace assay {

/// Grey, RGB, and CMYK or YCCK, whose inks are multiplied without a colour profile: red = (1 - cyan) (1 - black). With
/// an Adobe marker, values are 255 less the ink, as Adobe's programs write them.
/// @throws Error{BadInput} as decodePicture(); likewise the others
RgbPicture decodeJpeg(std::span<const std::byte> file);

/// The first page: 1 to 8 or 16 bits per channel; grey, RGB, palette, YCbCr, or CMYK of 8 bits. Needs libtiff.
RgbPicture decodeTiff(std::span<const std::byte> file);

/// The first frame, in its place on the whole picture.
RgbPicture decodeGif(std::span<const std::byte> file);

/// Throws Error{BadInput}: "expected ..., found ...".
[[noreturn]] void refusePicture(const std::string& expected, const std::string& found);

/// A black picture of that size.
/// @param workBytes bytes per pixel that its decoder needs beside it
/// @throws Error{BadInput} when it has no pixels, or more than kMaxPicturePixels; NotEnoughMemory
RgbPicture emptyPicture(std::size_t width, std::size_t height, std::size_t workBytes = 0);

/// Blends a channel with white. @param alpha 255: opaque
inline std::uint8_t onWhite(unsigned value, unsigned alpha) noexcept {
    return static_cast<std::uint8_t>((value * alpha + 255U * (255U - alpha) + 127U) / 255U);
}

} // namespace assay
