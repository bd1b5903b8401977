#include "engine/io/pictures/jpeg_writer.h"

#include "engine/base/error.h"

#include <memory>
#include <turbojpeg.h>

namespace assay {

std::string jpegBytes(const PixelView& picture, int quality) {
    const bool knownChannels = picture.channels == 1 || picture.channels == 3 || picture.channels == 4;
    if (!knownChannels || picture.pixels.empty() ||
        picture.pixels.size() != picture.height * picture.width * picture.channels)
        throw Error(ErrorKind::InvalidArgument, "a picture: expected 1, 3 or 4 channels and height x width x channels "
                                                "pixels, found " +
                                                    std::to_string(picture.pixels.size()));
    const std::unique_ptr<void, int (*)(tjhandle)> handle(tjInitCompress(), tjDestroy);
    if (handle == nullptr)
        throw Error(ErrorKind::InvalidArgument, "a picture: cannot be packed as JPEG");
    const TJPF format = picture.channels == 1 ? TJPF_GRAY : picture.channels == 3 ? TJPF_RGB : TJPF_RGBX;
    unsigned char* bytes = nullptr;
    unsigned long size = 0; // NOLINT(google-runtime-int): the library's type
    const int failed = tjCompress2(handle.get(), picture.pixels.data(), static_cast<int>(picture.width), 0,
                                   static_cast<int>(picture.height), format, &bytes, &size,
                                   picture.channels == 1 ? TJSAMP_GRAY : TJSAMP_420, quality, 0);
    const std::unique_ptr<unsigned char, void (*)(unsigned char*)> owned(bytes, tjFree);
    if (failed != 0)
        throw Error(ErrorKind::InvalidArgument,
                    std::string("a picture: cannot be packed as JPEG: ") + tjGetErrorStr2(handle.get()));
    return {reinterpret_cast<const char*>(bytes), size};
}

} // namespace assay
