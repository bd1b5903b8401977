#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace assay {

/// Pixels as ImageStore has them: height x width x channels, 8 bits a channel, interleaved.
struct PixelView {
    std::span<const std::uint8_t> pixels;
    std::size_t height = 0;
    std::size_t width = 0;
    std::size_t channels = 0; ///< 1 (grey), 3 (RGB) or 4 (RGBA)
};

/// A picture as the bytes of a PNG file, the same ones for the same pixels.
/// @throws Error{InvalidArgument} when it has no pixels, not as many as its size says, or other channels
std::string pngBytes(const PixelView& picture);

} // namespace assay
