#include "engine/io/picture_files.h"

#include "engine/io/refusal.h"
#include "engine/pictures/decode_picture.h"
#include "engine/pictures/scale_picture.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <system_error>

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSide = 256;         ///< pictures of one size up to this are shown as they are
constexpr std::size_t kShownSide = 128;        ///< the longer side of what is shown of all others
constexpr std::uintmax_t kMostBytes = 1 << 28; ///< of one picture's file

class FolderPixels : public PiecewisePixels {
public:
    FolderPixels(fs::path folder, std::vector<PictureFile> files, const ShownSize& size)
        : PiecewisePixels(size.width * size.height * (size.alike ? 3 : 4)), folder_(std::move(folder)),
          files_(std::move(files)), size_(size) {}

private:
    std::size_t copyPiece(std::size_t row, std::size_t begin, std::span<std::uint8_t> into) const override {
        const std::vector<std::uint8_t> shown = picture(files_.at(row));
        const std::size_t count = std::min(into.size(), shown.size() - begin);
        std::copy_n(shown.begin() + static_cast<std::ptrdiff_t>(begin), count, into.begin());
        return count;
    }

    std::vector<std::uint8_t> picture(const PictureFile& file) const {
        if (lookAtPicture(folder_, file.path) != file)
            refuse(file.path, "the picture that was listed", "another one");
        RgbPicture decoded = decodePicture(readPictureFile(folder_, file));
        if (!size_.alike)
            return fit(decoded);
        if (decoded.width != size_.width || decoded.height != size_.height)
            refuse(file.path, "a picture of the size of the others", "another size");
        return std::move(decoded.pixels);
    }

    std::vector<std::uint8_t> fit(const RgbPicture& decoded) const {
        const auto across = static_cast<double>(decoded.width);
        const auto down = static_cast<double>(decoded.height);
        const double scale =
            std::min(static_cast<double>(size_.width) / across, static_cast<double>(size_.height) / down);
        const auto scaled = [&](double side, std::size_t most) {
            return std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(side * scale)), 1, most);
        };
        const std::size_t width = scaled(across, size_.width);
        const std::size_t height = scaled(down, size_.height);
        const std::vector<float> colors = meanColors(decoded, width, height);
        std::vector<std::uint8_t> shown(size_.width * size_.height * 4);
        for (std::size_t y = 0; y < height; ++y)
            for (std::size_t x = 0; x < width; ++x) {
                std::uint8_t* pixel =
                    &shown[((y + (size_.height - height) / 2) * size_.width + x + (size_.width - width) / 2) * 4];
                for (std::size_t c = 0; c < 3; ++c)
                    pixel[c] = static_cast<std::uint8_t>(std::lround(colors[(y * width + x) * 3 + c]));
                pixel[3] = 255;
            }
        return shown;
    }

    fs::path folder_;
    std::vector<PictureFile> files_;
    ShownSize size_;
};

} // namespace

std::optional<PictureFile> lookAtPicture(const fs::path& folder, const std::string& path) {
    std::error_code failure;
    PictureFile file{path, fs::file_size(folder / path, failure), {}};
    if (!failure)
        file.written = fs::last_write_time(folder / path, failure);
    return failure ? std::nullopt : std::optional(file);
}

FolderListing listPictures(const fs::path& folder, PictureOrder order, const JobContext& job) {
    FolderListing listing;
    std::error_code failure;
    fs::recursive_directory_iterator at(folder, failure);
    for (const fs::recursive_directory_iterator end; !failure && at != end; at.increment(failure)) {
        job.checkpoint(0.0);
        std::error_code ignored;
        if (at->path().filename().string().starts_with('.')) {
            at.disable_recursion_pending();
        } else if (at->is_regular_file(ignored)) {
            const std::string path = at->path().lexically_relative(folder).generic_string();
            (isNamedPicture(path) ? listing.pictures : listing.others).push_back(path);
        }
    }
    if (failure)
        refuse(folder.string(), "a folder that can be read", failure.message());
    const auto byParts = [](char a, char b) {
        const auto rank = [](char c) { return c == '/' ? 0 : static_cast<unsigned char>(c) + 1; };
        return rank(a) < rank(b);
    };
    if (order == PictureOrder::Path)
        std::ranges::sort(listing.pictures);
    else
        std::ranges::sort(listing.pictures, [&](const std::string& a, const std::string& b) {
            return std::ranges::lexicographical_compare(a, b, byParts);
        });
    std::ranges::sort(listing.others);
    return listing;
}

std::vector<std::byte> readPictureFile(const fs::path& folder, const PictureFile& file) {
    if (file.bytes > kMostBytes)
        refuse("its file", "at most " + std::to_string(kMostBytes) + " bytes", std::to_string(file.bytes));
    std::ifstream stream(folder / file.path, std::ios::binary);
    std::vector<std::byte> bytes(file.bytes);
    if (!stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
        refuse("its file", "to be readable", "it cannot be read");
    return bytes;
}

ShownSize ShownSize::of(std::size_t width, std::size_t height, bool alike) {
    return alike && std::max(width, height) <= kMostSide ? ShownSize{width, height, true}
                                                         : ShownSize{kShownSide, kShownSide, false};
}

std::shared_ptr<const ImageStore> picturesInFolder(fs::path folder, std::vector<PictureFile> files,
                                                   const ShownSize& size) {
    const std::size_t rows = files.size();
    auto pixels = std::make_shared<const FolderPixels>(std::move(folder), std::move(files), size);
    return std::make_shared<const ImageStore>(std::move(pixels), rows, size.height, size.width, size.alike ? 3 : 4);
}

} // namespace assay
