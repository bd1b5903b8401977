#include "engine/io/pictures/picture_decoders.h"

#include <tiffio.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace assay {
namespace {

/// A file in memory, as libtiff reads it, and the first problem that libtiff reports.
///
/// libtiff keeps all of its state in the handle of a file, but for the error handlers that are set for the whole
/// process. Handlers of the handle itself (libtiff 4.5 or later) take their place here, so that several threads may
/// decode.
struct TiffInput {
    std::span<const std::byte> file;
    std::uint64_t at = 0;
    std::string problem{};
};

TiffInput& inputOf(thandle_t handle) {
    return *static_cast<TiffInput*>(handle);
}

tmsize_t readBytes(thandle_t handle, void* into, tmsize_t wanted) {
    TiffInput& input = inputOf(handle);
    const std::uint64_t left = input.at < input.file.size() ? input.file.size() - input.at : 0;
    const std::uint64_t count = std::min(left, static_cast<std::uint64_t>(std::max<tmsize_t>(wanted, 0)));
    if (count > 0)
        std::memcpy(into, input.file.data() + input.at, count);
    input.at += count;
    return static_cast<tmsize_t>(count);
}

tmsize_t writeNothing(thandle_t /*handle*/, void* /*from*/, tmsize_t /*count*/) {
    return 0;
}

toff_t seek(thandle_t handle, toff_t offset, int from) {
    TiffInput& input = inputOf(handle);
    input.at = from == SEEK_SET ? offset : (from == SEEK_CUR ? input.at : input.file.size()) + offset;
    return input.at;
}

int closeNothing(thandle_t /*handle*/) {
    return 0;
}

toff_t sizeOf(thandle_t handle) {
    return inputOf(handle).file.size();
}

int keepError(TIFF* /*tiff*/, void* user, const char* /*module*/, const char* format, va_list values) {
    std::string& problem = static_cast<TiffInput*>(user)->problem;
    std::array<char, 200> text{};
    if (problem.empty() && std::vsnprintf(text.data(), text.size(), format, values) > 0)
        problem = text.data();
    return 1; // the handler of the process is not called
}

int ignoreWarning(TIFF* /*tiff*/, void* /*user*/, const char* /*module*/, const char* /*format*/, va_list /*values*/) {
    return 1;
}

using Tiff = std::unique_ptr<TIFF, decltype(&TIFFClose)>;

Tiff openTiff(TiffInput& input) {
    // The largest that a page of kMaxPicturePixels takes: four channels of 16 bits.
    constexpr auto kMaxBytes = static_cast<tmsize_t>(kMaxPicturePixels * 8);
    const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                   TIFFOpenOptionsFree);
    if (!options)
        throw std::bad_alloc();
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), kMaxBytes);
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keepError, &input);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), ignoreWarning, nullptr);
    return {TIFFClientOpenExt("TIFF", "r", &input, readBytes, writeNothing, seek, closeNothing, sizeOf, nullptr,
                              nullptr, options.get()),
            TIFFClose};
}

[[noreturn]] void refuseTiff(const TiffInput& input) {
    refusePicture("a whole TIFF", input.problem.empty() ? "a damaged one" : input.problem);
}

} // namespace

RgbPicture decodeTiff(std::span<const std::byte> file) {
    TiffInput input{file};
    const Tiff tiff = openTiff(input);
    if (!tiff)
        refuseTiff(input);
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    TIFFGetField(tiff.get(), TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff.get(), TIFFTAG_IMAGELENGTH, &height);
    RgbPicture picture = emptyPicture(width, height, 8);
    std::array<char, 1024> problem{};
    if (TIFFRGBAImageOK(tiff.get(), problem.data()) == 0)
        refusePicture("a TIFF of 8 or 16 bits per channel", "one that libtiff refuses: " + std::string(problem.data()));
    std::vector<std::uint32_t> raster(static_cast<std::size_t>(width) * height);
    constexpr int kStopOnError = 1;
    if (TIFFReadRGBAImageOriented(tiff.get(), width, height, raster.data(), ORIENTATION_TOPLEFT, kStopOnError) == 0)
        refuseTiff(input);
    for (std::size_t i = 0; i < raster.size(); ++i) {
        // Channels are multiplied by alpha already.
        const unsigned white = 255U - TIFFGetA(raster[i]);
        const std::array<unsigned, 3> channels{TIFFGetR(raster[i]), TIFFGetG(raster[i]), TIFFGetB(raster[i])};
        for (std::size_t c = 0; c < channels.size(); ++c)
            picture.pixels[3 * i + c] = static_cast<std::uint8_t>(std::min(channels[c] + white, 255U));
    }
    picture.isFirstOfSeveral = TIFFLastDirectory(tiff.get()) == 0;
    return picture;
}

} // namespace assay
