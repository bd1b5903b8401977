#include "engine/io/pictures/picture_decoders.h"

#include "engine/base/error.h"

#include <gif_lib.h>
#include <tiffio.h>
#include <turbojpeg.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {
namespace {

using Bytes = std::span<const std::byte>;

const std::uint8_t* start(Bytes file) {
    return reinterpret_cast<const std::uint8_t*>(file.data());
}

/// Extra bytes between two segments of a JPEG are common and harmless. All other warnings mean that pixels were
/// invented.
void requireWhole(tjhandle decoder, int code) {
    if (code == 0)
        return;
    const std::string_view problem = tjGetErrorStr2(decoder);
    const bool harmless = tjGetErrorCode(decoder) == TJERR_WARNING && problem.find("extraneous bytes") != problem.npos;
    if (!harmless)
        refusePicture("a whole JPEG", std::string(problem));
}

/// Whether a segment before the pixels is Adobe's (APP14).
bool hasAdobeMarker(Bytes file) {
    constexpr std::string_view kAdobe = "Adobe";
    constexpr unsigned kApp14 = 0xee, kStartOfScan = 0xda;
    std::size_t at = 2;
    while (at + 4 <= file.size() && file[at] == std::byte{0xff}) {
        const auto marker = std::to_integer<unsigned>(file[at + 1]);
        const std::size_t length =
            std::to_integer<std::size_t>(file[at + 2]) << 8 | std::to_integer<std::size_t>(file[at + 3]);
        if (marker == kStartOfScan)
            return false;
        if (marker == kApp14 && at + 4 + kAdobe.size() <= file.size() &&
            std::memcmp(file.data() + at + 4, kAdobe.data(), kAdobe.size()) == 0)
            return true;
        at += 2 + length;
    }
    return false;
}

void decodeInks(tjhandle decoder, Bytes file, RgbPicture& picture) {
    const std::size_t pixels = picture.width * picture.height;
    std::vector<std::uint8_t> inks(pixels * 4);
    requireWhole(decoder,
                 tjDecompress2(decoder, start(file), file.size(), inks.data(), static_cast<int>(picture.width), 0,
                               static_cast<int>(picture.height), TJPF_CMYK, TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS));
    const unsigned inverted = hasAdobeMarker(file) ? 0U : 255U;
    for (std::size_t i = 0; i < pixels; ++i)
        for (std::size_t c = 0; c < 3; ++c) {
            const unsigned light = inks[4 * i + c] ^ inverted;
            const unsigned paper = inks[4 * i + 3] ^ inverted;
            picture.pixels[3 * i + c] = static_cast<std::uint8_t>((light * paper + 127U) / 255U);
        }
}

} // namespace

RgbPicture decodeJpeg(Bytes file) {
    const std::unique_ptr<void, decltype(&tjDestroy)> decoder(tjInitDecompress(), tjDestroy);
    if (!decoder)
        throw std::bad_alloc();
    int width = 0;
    int height = 0;
    int subsampling = 0;
    int colours = 0;
    requireWhole(decoder.get(),
                 tjDecompressHeader3(decoder.get(), start(file), file.size(), &width, &height, &subsampling, &colours));
    const bool isInks = colours == TJCS_CMYK || colours == TJCS_YCCK;
    // A progressive one is decoded as a whole: 16 bits per value.
    RgbPicture picture =
        emptyPicture(static_cast<std::size_t>(width), static_cast<std::size_t>(height), isInks ? 12 : 6);
    if (isInks)
        decodeInks(decoder.get(), file, picture);
    else
        requireWhole(decoder.get(), tjDecompress2(decoder.get(), start(file), file.size(), picture.pixels.data(), width,
                                                  0, height, TJPF_RGB, TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS));
    return picture;
}

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

namespace {

struct CloseGif {
    void operator()(GifFileType* gif) const noexcept { DGifCloseFile(gif, nullptr); }
};
/// giflib 5 keeps all of its state in this descriptor: "re-entrant and thread-safe" in its documentation.
using Gif = std::unique_ptr<GifFileType, CloseGif>;

[[noreturn]] void refuseGif(int code) {
    const char* problem = GifErrorString(code);
    refusePicture("a whole GIF", problem != nullptr ? problem : "a damaged one");
}

int readBytes(GifFileType* gif, GifByteType* into, int wanted) {
    auto& left = *static_cast<std::span<const std::byte>*>(gif->UserData);
    const std::size_t count = std::min(left.size(), static_cast<std::size_t>(std::max(wanted, 0)));
    if (count > 0)
        std::memcpy(into, left.data(), count);
    left = left.subspan(count);
    return static_cast<int>(count);
}

/// Reads an extension. @return the transparent colour when it names one, else `before`
int transparentAfter(GifFileType* gif, int before) {
    int code = 0;
    GifByteType* block = nullptr; // its length, then its bytes
    if (DGifGetExtension(gif, &code, &block) == GIF_ERROR)
        refuseGif(gif->Error);
    GraphicsControlBlock control{};
    if (code == GRAPHICS_EXT_FUNC_CODE && block != nullptr &&
        DGifExtensionToGCB(block[0], block + 1, &control) != GIF_ERROR)
        before = control.TransparentColor;
    while (block != nullptr)
        if (DGifGetExtensionNext(gif, &block) == GIF_ERROR)
            refuseGif(gif->Error);
    return before;
}

/// Goes on to the next frame. @param transparent set to the frame's transparent colour, or NO_TRANSPARENT_COLOR
/// @return whether there is one
bool findFrame(GifFileType* gif, int& transparent) {
    GifRecordType record = UNDEFINED_RECORD_TYPE;
    while (DGifGetRecordType(gif, &record) != GIF_ERROR) {
        if (record == IMAGE_DESC_RECORD_TYPE)
            return true;
        if (record != EXTENSION_RECORD_TYPE)
            return false;
        transparent = transparentAfter(gif, transparent);
    }
    refuseGif(gif->Error);
}

bool hasAnotherFrame(GifFileType* gif) {
    int transparent = NO_TRANSPARENT_COLOR;
    try {
        return findFrame(gif, transparent);
    } catch (const Error&) { // what follows the first frame may be damaged
        return false;
    }
}

/// The order in which the rows of a frame are stored.
std::vector<std::size_t> rowsOf(const GifImageDesc& frame) {
    const auto height = static_cast<std::size_t>(frame.Height);
    std::vector<std::size_t> rows;
    const auto add = [&](std::size_t first, std::size_t step) {
        for (std::size_t row = first; row < height; row += step)
            rows.push_back(row);
    };
    if (!frame.Interlace) {
        add(0, 1);
        return rows;
    }
    for (const auto& [first, step] :
         std::array<std::pair<std::size_t, std::size_t>, 4>{{{0, 8}, {4, 8}, {2, 4}, {1, 2}}})
        add(first, step);
    return rows;
}

void drawFrame(GifFileType* gif, int transparent, RgbPicture& picture) {
    const GifImageDesc& frame = gif->Image;
    const ColorMapObject* colours = frame.ColorMap != nullptr ? frame.ColorMap : gif->SColorMap;
    if (colours == nullptr)
        refusePicture("a GIF with a table of colours", "one without");
    std::vector<GifPixelType> line(static_cast<std::size_t>(frame.Width));
    for (const std::size_t row : rowsOf(frame)) {
        if (DGifGetLine(gif, line.data(), frame.Width) == GIF_ERROR)
            refuseGif(gif->Error);
        std::uint8_t* into = &picture.pixels[((static_cast<std::size_t>(frame.Top) + row) * picture.width +
                                              static_cast<std::size_t>(frame.Left)) *
                                             3];
        for (std::size_t x = 0; x < line.size(); ++x) {
            if (line[x] == transparent)
                continue;
            if (line[x] >= colours->ColorCount)
                refusePicture("a colour of " + std::to_string(colours->ColorCount), std::to_string(line[x]));
            const GifColorType& colour = colours->Colors[line[x]];
            into[3 * x] = colour.Red;
            into[3 * x + 1] = colour.Green;
            into[3 * x + 2] = colour.Blue;
        }
    }
}

} // namespace

RgbPicture decodeGif(std::span<const std::byte> file) {
    std::span<const std::byte> left = file;
    int problem = 0;
    const Gif gif(DGifOpen(&left, readBytes, &problem));
    if (!gif)
        refuseGif(problem);
    int transparent = NO_TRANSPARENT_COLOR;
    if (!findFrame(gif.get(), transparent))
        refusePicture("a GIF with a frame", "one without");
    if (DGifGetImageDesc(gif.get()) == GIF_ERROR)
        refuseGif(gif->Error);
    const GifImageDesc& frame = gif->Image;
    if (frame.Width <= 0 || frame.Height <= 0)
        refusePicture("a picture with pixels", std::to_string(frame.Width) + " x " + std::to_string(frame.Height));
    // A frame that reaches beyond the picture makes it larger, as in other programs.
    RgbPicture picture = emptyPicture(static_cast<std::size_t>(std::max(gif->SWidth, frame.Left + frame.Width)),
                                      static_cast<std::size_t>(std::max(gif->SHeight, frame.Top + frame.Height)));
    std::ranges::fill(picture.pixels, std::uint8_t{255}); // what the frame leaves is transparent
    drawFrame(gif.get(), transparent, picture);
    picture.isFirstOfSeveral = hasAnotherFrame(gif.get());
    return picture;
}

} // namespace assay
