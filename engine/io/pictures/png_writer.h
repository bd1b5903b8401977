#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace assay {

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
