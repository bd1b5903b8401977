#include "engine/io/pictures/picture_decoders.h"

#include <turbojpeg.h>

#include <cstring>
#include <memory>
#include <new>
#include <string_view>

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

} // namespace assay
