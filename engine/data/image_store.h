#pragma once

#include "engine/data/preparation.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace assay {

/// Pixels outside memory, such as in a file; pictures are stored one after the other.
class PixelSource {
public:
    virtual ~PixelSource() = default;

    /// Fills `into` with the bytes from `offset` on. Thread-safe.
    /// @return false when the bytes cannot be read, or can no longer be read
    virtual bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept = 0;
    /// Whether a picture stands for none: what is read of it is nothing to look at.
    virtual bool isMissing(std::size_t /*picture*/) const noexcept { return false; }
    /// Whether pictures are drawn from the samples' values: whoever has the values can draw them again.
    virtual bool isDrawn() const noexcept { return false; }
};

/// Pixels that are read in pieces of equal size, for example one picture each; the last piece may be shorter.
class PiecewisePixels : public PixelSource {
public:
    bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept final;

protected:
    /// @param bytesEach size of every piece, positive
    explicit PiecewisePixels(std::size_t bytesEach) : bytesEach_(bytesEach) {}

    /// Copies the bytes of `piece` from `begin` on. @return as copyPiece()
    static std::size_t copyFrom(std::span<const std::uint8_t> piece, std::size_t begin, std::span<std::uint8_t> into);

private:
    /// Copies the bytes of a piece from `begin` on, at most as many as `into` holds. Thread-safe. May throw.
    /// @return number of bytes copied; 0 when they cannot be read, or can no longer be read
    virtual std::size_t copyPiece(std::size_t piece, std::size_t begin, std::span<std::uint8_t> into) const = 0;

    std::size_t bytesEach_;
};

/// One small picture per sample, as raw pixels: rows x height x width x channels, 8 bits per channel, interleaved.
/// `channels` is 1 (grey), 3 (RGB) or 4 (RGBA). Immutable.
class ImageStore {
public:
    /// Pictures in memory.
    /// @throws Error{InvalidArgument} when `pixels` does not hold exactly rows x height x width x channels bytes, or
    ///         `channels` is not 1, 3 or 4
    ImageStore(std::vector<std::uint8_t> pixels, std::size_t rows, std::size_t height, std::size_t width,
               std::size_t channels);
    /// Pictures that are read from `source` one by one, on demand.
    /// @throws Error{InvalidArgument} when `channels` is not 1, 3 or 4
    ImageStore(std::shared_ptr<const PixelSource> source, std::size_t rows, std::size_t height, std::size_t width,
               std::size_t channels);

    std::size_t rows() const noexcept { return shape_.rows; }
    std::size_t height() const noexcept { return shape_.height; }
    std::size_t width() const noexcept { return shape_.width; }
    std::size_t channels() const noexcept { return shape_.channels; }
    std::size_t bytesPerImage() const noexcept { return shape_.height * shape_.width * shape_.channels; }

    /// Whether all pictures are in memory, so that image() may be called.
    bool isInMemory() const noexcept { return source_ == nullptr; }
    /// Whether there is no picture of this sample, though there are of others.
    bool isMissing(std::size_t row) const noexcept { return source_ && source_->isMissing(row); }
    /// Whether pictures are drawn from the samples' values, and need not be kept beside these.
    bool isDrawn() const noexcept { return source_ && source_->isDrawn(); }
    /// Pixels of one picture: height x width x channels bytes.
    /// @pre isInMemory(), row < rows()
    std::span<const std::uint8_t> image(std::size_t row) const noexcept {
        return {pixels_.data() + row * bytesPerImage(), bytesPerImage()};
    }
    /// A copy of one picture's pixels, height x width x channels bytes; empty when they can no longer be read.
    /// Thread-safe.
    std::vector<std::uint8_t> pixels(std::size_t row) const;

private:
    struct Shape {
        std::size_t rows, height, width, channels;
    };
    explicit ImageStore(const Shape& shape);

    Shape shape_;
    std::vector<std::uint8_t> pixels_;
    std::shared_ptr<const PixelSource> source_; ///< null: pictures are in memory
};

/// Row number that stands for a missing picture.
inline constexpr std::uint32_t kNoPicture = std::numeric_limits<std::uint32_t>::max();

/// Pictures of another store, read on demand.
/// @param rows of `all`, one for each picture; of kNoPicture all pixels are 0
std::shared_ptr<const ImageStore> chosenPictures(std::shared_ptr<const ImageStore> all,
                                                 std::vector<std::uint32_t> rows);

/// Side of a picture of a window, in pixels.
inline constexpr std::size_t kSeriesPictureSide = 256;

/// Pictures of the windows of a series, drawn on demand: a curve for each feature over the steps, RGB on white, from
/// three standard deviations below the mean to three above. What goes beyond lies on the border.
/// @param values windows x steps x features, standardised by the real set, so that pictures of several sets compare
std::shared_ptr<const ImageStore> seriesPictures(std::span<const float> values, WindowShape window);

} // namespace assay
