#include "engine/data/image_store.h"

#include "engine/job/error.h"

#include <string>
#include <utility>

namespace assay {

ImageStore::ImageStore(std::vector<std::uint8_t> pixels, std::size_t rows, std::size_t height, std::size_t width,
                       std::size_t channels)
    : pixels_(std::move(pixels)), rows_(rows), height_(height), width_(width), channels_(channels) {
    if (channels != 1 && channels != 3 && channels != 4)
        throw Error(ErrorKind::InvalidArgument, "pictures need 1, 3 or 4 channels, found " + std::to_string(channels));
    const std::size_t expected = rows * height * width * channels;
    if (pixels_.size() != expected)
        throw Error(ErrorKind::InvalidArgument,
                    "pictures need " + std::to_string(expected) + " bytes, found " + std::to_string(pixels_.size()));
}

} // namespace assay
