#include "engine/base/error.h"
#include "engine/io/pictures/picture_decoders.h"

#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace assay {
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
