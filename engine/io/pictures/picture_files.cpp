#include "engine/io/pictures/picture_files.h"

#include "engine/base/available_memory.h"
#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/io/files/input_file.h"

#include <gif_lib.h>
#include <png.h>
#include <tiffio.h>
#include <turbojpeg.h>
#include <webp/decode.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {
namespace {

using Bytes = std::span<const std::byte>;

const std::uint8_t* start(Bytes file) {
    return reinterpret_cast<const std::uint8_t*>(file.data());
}

/// Throws Error{BadInput}: "expected ..., found ...".
[[noreturn]] void refusePicture(const std::string& expected, const std::string& found) {
    throw Error(ErrorKind::BadInput, "expected " + expected + ", found " + found);
}

/// A black picture of that size.
/// @param workBytes bytes per pixel that its decoder needs beside it
/// @throws Error{BadInput} when it has no pixels, or more than kMaxPicturePixels; NotEnoughMemory
RgbPicture emptyPicture(std::size_t width, std::size_t height, std::size_t workBytes = 0) {
    const std::string found = std::to_string(width) + " x " + std::to_string(height);
    if (width == 0 || height == 0)
        refusePicture("a picture with pixels", found);
    if (width > kMaxPicturePixels / height)
        refusePicture("at most " + std::to_string(kMaxPicturePixels) + " pixels", found);
    // Other threads decode pictures, too, and have to see that the memory is taken.
    static std::mutex taking;
    const std::scoped_lock lock(taking);
    requireMemory(width * height * (3 + workBytes), "a picture of " + found);
    return {width, height, std::vector<std::uint8_t>(width * height * 3)};
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

/// Grey, RGB, and CMYK or YCCK, whose inks are multiplied without a colour profile: red = (1 - cyan) (1 - black). With
/// an Adobe marker, values are 255 less the ink, as Adobe's programs write them.
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

toff_t seek(thandle_t handle, toff_t offset, int from) {
    TiffInput& input = inputOf(handle);
    input.at = from == SEEK_SET ? offset : (from == SEEK_CUR ? input.at : input.file.size()) + offset;
    return input.at;
}

int keepError(TIFF* /*tiff*/, void* user, const char* /*module*/, const char* format, va_list values) {
    std::string& problem = static_cast<TiffInput*>(user)->problem;
    std::array<char, 200> text{};
    if (problem.empty() && std::vsnprintf(text.data(), text.size(), format, values) > 0)
        problem = text.data();
    return 1; // the handler of the process is not called
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
    TIFFOpenOptionsSetWarningHandlerExtR(
        options.get(), [](TIFF*, void*, const char*, const char*, va_list) { return 1; }, nullptr);
    const TIFFReadWriteProc writeNothing = [](thandle_t, void*, tmsize_t) { return tmsize_t{0}; };
    const TIFFCloseProc closeNothing = [](thandle_t) { return 0; };
    const TIFFSizeProc sizeOf = [](thandle_t handle) -> toff_t { return inputOf(handle).file.size(); };
    return {TIFFClientOpenExt("TIFF", "r", &input, readBytes, writeNothing, seek, closeNothing, sizeOf, nullptr,
                              nullptr, options.get()),
            TIFFClose};
}

[[noreturn]] void refuseTiff(const TiffInput& input) {
    refusePicture("a whole TIFF", input.problem.empty() ? "a damaged one" : input.problem);
}

/// The first page: 1 to 8 or 16 bits per channel; grey, RGB, palette, YCbCr, or CMYK of 8 bits.
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

/// The first frame, in its place on the whole picture.
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

bool startsWith(Bytes file, std::string_view magic, std::size_t at = 0) {
    return file.size() >= at + magic.size() && std::memcmp(file.data() + at, magic.data(), magic.size()) == 0;
}

RgbPicture decodePng(Bytes file) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    const std::unique_ptr<png_image, decltype(&png_image_free)> cleanup(&image, png_image_free);
    if (png_image_begin_read_from_memory(&image, file.data(), file.size()) == 0)
        refusePicture("a whole PNG", image.message);
    // When a file does not specify gamma, 16-bit values have the same encoding as 8-bit values.
    image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
    image.format = PNG_FORMAT_RGB;
    RgbPicture picture = emptyPicture(image.width, image.height);
    constexpr png_color white{255, 255, 255};
    if (png_image_finish_read(&image, &white, picture.pixels.data(), 0, nullptr) == 0)
        refusePicture("a whole PNG", image.message);
    return picture;
}

RgbPicture decodeWebp(Bytes file) {
    WebPBitstreamFeatures features{};
    if (WebPGetFeatures(start(file), file.size(), &features) != VP8_STATUS_OK)
        refusePicture("a whole WebP", "a damaged one");
    if (features.has_animation != 0)
        refusePicture("a still WebP", "an animation");
    RgbPicture picture =
        emptyPicture(static_cast<std::size_t>(features.width), static_cast<std::size_t>(features.height), 8);
    const std::size_t pixels = picture.width * picture.height;
    std::vector<std::uint8_t> rgba(pixels * 4);
    if (!WebPDecodeRGBAInto(start(file), file.size(), rgba.data(), rgba.size(), features.width * 4))
        refusePicture("a whole WebP", "a damaged one");
    for (std::size_t i = 0; i < pixels; ++i)
        for (std::size_t c = 0; c < 3; ++c)
            picture.pixels[3 * i + c] = onWhite(rgba[4 * i + c], rgba[4 * i + 3]);
    return picture;
}

std::uint32_t little(Bytes file, std::size_t at, std::size_t count) {
    return static_cast<std::uint32_t>(littleEndian(file.subspan(at, count)));
}

/// Uncompressed pixels of 24 or 32 bits, the variant that current programs write.
RgbPicture decodeBmp(Bytes file) {
    constexpr std::size_t headers = 54;
    if (file.size() < headers)
        refusePicture("a whole BMP", std::to_string(file.size()) + " bytes");
    const std::size_t start = little(file, 10, 4);
    const auto width = static_cast<std::int32_t>(little(file, 18, 4));
    const auto height = static_cast<std::int32_t>(little(file, 22, 4));
    const std::size_t bits = little(file, 28, 2);
    if ((bits != 24 && bits != 32) || little(file, 30, 4) != 0)
        refusePicture("a BMP of 24 or 32 bits, not compressed",
                      std::to_string(bits) + " bits, compression " + std::to_string(little(file, 30, 4)));
    const std::int64_t rows = std::abs(static_cast<std::int64_t>(height)); // negative: from the top
    RgbPicture picture = emptyPicture(static_cast<std::size_t>(std::max(width, 0)), static_cast<std::size_t>(rows));
    const std::size_t stride = (picture.width * bits / 8 + 3) / 4 * 4;
    if (start > file.size() || stride * picture.height > file.size() - start)
        refusePicture("a whole BMP", "one that ends early");
    for (std::size_t y = 0; y < picture.height; ++y) {
        const std::size_t line = start + stride * (height > 0 ? picture.height - 1 - y : y);
        for (std::size_t x = 0; x < picture.width; ++x)
            for (std::size_t c = 0; c < 3; ++c)
                picture.pixels[(y * picture.width + x) * 3 + c] =
                    std::to_integer<std::uint8_t>(file[line + x * bits / 8 + 2 - c]);
    }
    return picture;
}

struct PictureFormat {
    bool (*recognises)(Bytes head);
    RgbPicture (*decode)(Bytes file);
};

constexpr std::array<PictureFormat, 6> kFormats{
    {{[](Bytes head) { return startsWith(head, "\x89PNG"); }, decodePng},
     {[](Bytes head) { return startsWith(head, "\xff\xd8"); }, decodeJpeg},
     {[](Bytes head) { return startsWith(head, "RIFF") && startsWith(head, "WEBP", 8); }, decodeWebp},
     {[](Bytes head) { return startsWith(head, "BM"); }, decodeBmp},
     {[](Bytes head) { return startsWith(head, "GIF87a") || startsWith(head, "GIF89a"); }, decodeGif},
     {[](Bytes head) { // of 32 bits or of 64 (BigTIFF), in either byte order
          return startsWith(head, {"II*\0", 4}) || startsWith(head, {"MM\0*", 4}) || startsWith(head, {"II+\0", 4}) ||
                 startsWith(head, {"MM\0+", 4});
      },
      decodeTiff}}};

const PictureFormat* formatOf(Bytes head) {
    return findBy(
        kFormats, [&](const PictureFormat& format) { return format.recognises(head); }, true);
}

} // namespace

bool isPictureHead(Bytes head) {
    return formatOf(head) != nullptr;
}

RgbPicture decodePicture(Bytes file) {
    if (const PictureFormat* format = formatOf(file))
        return format->decode(file);
    refusePicture("a PNG, JPEG, WebP, BMP, GIF or TIFF", file.empty() ? "an empty file" : "something else");
}

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
