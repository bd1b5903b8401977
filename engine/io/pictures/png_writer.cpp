#include "engine/io/pictures/png_writer.h"

#include "engine/base/error.h"

#include <png.h>

namespace assay {

std::string pngBytes(const PixelView& picture) {
    const bool knownChannels = picture.channels == 1 || picture.channels == 3 || picture.channels == 4;
    if (!knownChannels || picture.pixels.empty() ||
        picture.pixels.size() != picture.height * picture.width * picture.channels)
        throw Error(ErrorKind::InvalidArgument, "a picture: expected 1, 3 or 4 channels and height x width x channels "
                                                "pixels, found " +
                                                    std::to_string(picture.pixels.size()) + " pixels of " +
                                                    std::to_string(picture.channels) + " channels");
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(picture.width);
    image.height = static_cast<png_uint_32>(picture.height);
    image.format = picture.channels == 1 ? PNG_FORMAT_GRAY : picture.channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string bytes(size, '\0');
    if (png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.pixels.data(), 0, nullptr) == 0)
        throw Error(ErrorKind::InvalidArgument, std::string("a picture: cannot be packed as PNG: ") + image.message);
    bytes.resize(size);
    return bytes;
}

} // namespace assay
