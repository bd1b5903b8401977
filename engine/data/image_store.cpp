#include "engine/data/image_store.h"

#include "engine/base/error.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

namespace assay {

bool PiecewisePixels::read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept {
    try {
        while (!into.empty()) {
            const auto piece = static_cast<std::size_t>(offset / bytesEach_);
            const std::size_t copied = copyPiece(piece, static_cast<std::size_t>(offset % bytesEach_), into);
            if (copied == 0)
                return false;
            into = into.subspan(copied);
            offset += copied;
        }
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

std::size_t PiecewisePixels::copyFrom(std::span<const std::uint8_t> piece, std::size_t begin,
                                      std::span<std::uint8_t> into) {
    const auto wanted = piece.subspan(std::min(begin, piece.size()));
    const std::size_t count = std::min(into.size(), wanted.size());
    std::copy_n(wanted.begin(), count, into.begin());
    return count;
}

ImageStore::ImageStore(const Shape& shape) : shape_(shape) {
    if (shape.channels != 1 && shape.channels != 3 && shape.channels != 4)
        throw Error(ErrorKind::InvalidArgument,
                    "pictures need 1, 3 or 4 channels, found " + std::to_string(shape.channels));
}

ImageStore::ImageStore(std::vector<std::uint8_t> pixels, std::size_t rows, std::size_t height, std::size_t width,
                       std::size_t channels)
    : ImageStore(Shape{rows, height, width, channels}) {
    pixels_ = std::move(pixels);
    const std::size_t expected = rows * bytesPerImage();
    if (pixels_.size() != expected)
        throw Error(ErrorKind::InvalidArgument,
                    "pictures need " + std::to_string(expected) + " bytes, found " + std::to_string(pixels_.size()));
}

ImageStore::ImageStore(std::shared_ptr<const PixelSource> source, std::size_t rows, std::size_t height,
                       std::size_t width, std::size_t channels)
    : ImageStore(Shape{rows, height, width, channels}) {
    source_ = std::move(source);
}

std::vector<std::uint8_t> ImageStore::pixels(std::size_t row) const {
    if (isInMemory()) {
        const auto held = image(row);
        return {held.begin(), held.end()};
    }
    std::vector<std::uint8_t> read(bytesPerImage());
    if (!source_->read(std::uint64_t{row} * bytesPerImage(), read))
        read.clear();
    return read;
}

} // namespace assay
