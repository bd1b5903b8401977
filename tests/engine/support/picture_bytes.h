#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::test {

/// One page of a TIFF, its rows as they are stored, not compressed.
struct TiffPage {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint32_t> bits{8}; ///< one per channel
    std::uint32_t photometric = 1;      ///< 1: grey, 2: RGB, 3: palette, 5: CMYK
    std::string pixels{};
    std::vector<std::uint32_t> palette{}; ///< 16 bits: all reds, greens, blues
    std::uint32_t alpha = 0;              ///< of the last channel: 1: colours multiplied by it, 2: not multiplied
    std::uint32_t sampleFormat = 1;       ///< 3: floats
};

enum class TiffOrder { Little, Big };

/// A TIFF file of these pages.
std::string tiffFile(const std::vector<TiffPage>& pages, TiffOrder order = TiffOrder::Little);

/// One frame of a GIF; pixels are indices of colours.
struct GifFrame {
    std::uint16_t left = 0, top = 0, width = 0, height = 0;
    std::vector<std::uint8_t> pixels{}; ///< as stored: of an interlaced frame in the order of its passes
    int transparent = -1;
    bool isInterlaced = false;
};

/// A GIF file. @param colors red, green, blue of each; at most 128
std::string gifFile(std::uint16_t width, std::uint16_t height, const std::vector<std::uint8_t>& colors,
                    const std::vector<GifFrame>& frames);

} // namespace assay::test
