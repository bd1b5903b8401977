#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace assay {

/// Pixels that lie somewhere else than in memory, one picture after the other.
class PixelSource {
public:
    virtual ~PixelSource() = default;

    /// Fills `into` with the bytes from `offset` on. For any thread.
    /// @return false where they cannot be had (any more)
    virtual bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept = 0;
};

/// Pixels that are fetched in pieces of one size, such as a picture each; the last piece may be shorter.
class PiecewisePixels : public PixelSource {
public:
    bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept final;

protected:
    /// @param bytesEach of every piece, positive
    explicit PiecewisePixels(std::size_t bytesEach) : bytesEach_(bytesEach) {}

private:
    /// Copies the bytes of a piece from `begin` on, as far as there are some and `into` has room. For any thread. May
    /// throw. @return how many; 0 where they cannot be had (any more)
    virtual std::size_t copyPiece(std::size_t piece, std::size_t begin, std::span<std::uint8_t> into) const = 0;

    std::size_t bytesEach_;
};

/// One small picture per sample, as raw pixels: rows x height x width x channels, 8 bits a channel, interleaved.
/// `channels` is 1 (grey), 3 (RGB) or 4 (RGBA). Never changes once made.
class ImageStore {
public:
    /// @throws Error{InvalidArgument} when `pixels` does not hold exactly rows x height x width x channels bytes or
    ///         `channels` is none of 1, 3, 4
    ImageStore(std::vector<std::uint8_t> pixels, std::size_t rows, std::size_t height, std::size_t width,
               std::size_t channels);
    /// Pictures that are read one by one when they are asked for. @throws likewise
    ImageStore(std::shared_ptr<const PixelSource> source, std::size_t rows, std::size_t height, std::size_t width,
               std::size_t channels);

    std::size_t rows() const noexcept { return rows_; }
    std::size_t height() const noexcept { return height_; }
    std::size_t width() const noexcept { return width_; }
    std::size_t channels() const noexcept { return channels_; }
    std::size_t bytesPerImage() const noexcept { return height_ * width_ * channels_; }

    /// Whether a picture takes no reading.
    bool isInMemory() const noexcept { return source_ == nullptr; }
    /// Pixels of one picture, which are in memory: height x width x channels bytes.
    std::span<const std::uint8_t> image(std::size_t row) const noexcept {
        return {pixels_.data() + row * bytesPerImage(), bytesPerImage()};
    }
    /// A copy of them, wherever they are; empty where they cannot be had any more. For any thread.
    std::vector<std::uint8_t> pixels(std::size_t row) const;

private:
    ImageStore(std::vector<std::uint8_t> pixels, std::shared_ptr<const PixelSource> source, std::size_t rows,
               std::size_t height, std::size_t width, std::size_t channels);

    std::vector<std::uint8_t> pixels_;
    std::shared_ptr<const PixelSource> source_; ///< null: in memory
    std::size_t rows_, height_, width_, channels_;
};

} // namespace assay
