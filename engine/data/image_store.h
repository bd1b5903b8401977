#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// One small picture per sample, as raw pixels: rows x height x width x channels, 8 bits a channel, interleaved.
/// `channels` is 1 (grey), 3 (RGB) or 4 (RGBA). Never changes once made.
class ImageStore {
public:
    /// @throws Error{InvalidArgument} when `pixels` does not hold exactly rows x height x width x channels bytes or
    ///         `channels` is none of 1, 3, 4
    ImageStore(std::vector<std::uint8_t> pixels, std::size_t rows, std::size_t height, std::size_t width,
               std::size_t channels);

    std::size_t rows() const noexcept { return rows_; }
    std::size_t height() const noexcept { return height_; }
    std::size_t width() const noexcept { return width_; }
    std::size_t channels() const noexcept { return channels_; }
    std::size_t bytesPerImage() const noexcept { return height_ * width_ * channels_; }

    /// Pixels of one picture: height x width x channels bytes.
    std::span<const std::uint8_t> image(std::size_t row) const noexcept {
        return {pixels_.data() + row * bytesPerImage(), bytesPerImage()};
    }

private:
    std::vector<std::uint8_t> pixels_;
    std::size_t rows_, height_, width_, channels_;
};

} // namespace assay
