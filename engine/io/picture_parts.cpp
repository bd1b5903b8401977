#include "engine/io/picture_parts.h"

#include "engine/io/format_table.h"
#include "engine/io/formats.h"
#include "engine/io/npy_array.h"
#include "engine/io/npz_archive.h"
#include "engine/io/npz_pictures.h"
#include "engine/io/read_embeddings.h"
#include "engine/io/refusal.h"
#include "engine/io/sample_lists.h"
#include "engine/job/error.h"
#include "engine/pictures/decode_picture.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace assay {
namespace {

namespace fs = std::filesystem;

/// The size that the pictures of a folder have, as a few of them tell.
ShownSize sizeOf(const fs::path& folder, const std::vector<PictureFile>& files, const JobContext& job) {
    constexpr std::size_t kLookedAt = 64;
    std::optional<ShownSize> size;
    for (std::size_t at = 0; at < files.size(); at += files.size() / kLookedAt + 1) {
        job.checkpoint(static_cast<double>(at) / static_cast<double>(files.size()));
        RgbPicture picture;
        try {
            picture = decodePicture(readPictureFile(folder, files[at]));
        } catch (const Error&) { // it will not be shown either
            continue;
        }
        if (!size)
            size = ShownSize{picture.width, picture.height, true};
        else if (size->width != picture.width || size->height != picture.height)
            return ShownSize::of(0, 0, false);
    }
    // Not alike for sure: those that were not looked at are fitted in.
    const ShownSize known = size ? ShownSize::of(size->width, size->height, true) : ShownSize::of(0, 0, false);
    return {known.width, known.height, false};
}

} // namespace

PictureParts picturesOfFolder(const InputFile& input, const std::string& key, PictureOrder order,
                              const JobContext& job) {
    if (!key.empty())
        refuse(input.name(), "an archive with a key '" + printable(key) + "'", "a folder, which has no keys");
    const fs::path folder = fs::absolute(input.name());
    FolderListing listing = listPictures(folder, order, job);
    PictureParts parts;
    std::vector<PictureFile> files;
    for (const std::string& path : listing.pictures)
        if (std::optional<PictureFile> file = lookAtPicture(folder, path))
            files.push_back(std::move(*file));
    if (files.empty())
        refuse(input.name(), "pictures", "none");
    for (const PictureFile& file : files)
        parts.ids.push_back(file.path);
    if (!listing.others.empty())
        parts.notes.push_back(input.name() + ": " + std::to_string(listing.others.size()) +
                              " files left out, no pictures by name, such as '" + printable(listing.others.front()) +
                              "'");
    parts.labels = classesOfPaths(parts.ids);
    const ShownSize size = sizeOf(folder, files, job);
    parts.images = picturesInFolder(folder, std::move(files), size);
    return parts;
}

PictureParts picturesOfNpz(const InputFile& input, const std::string& key, PictureOrder /*order*/,
                           const JobContext& job) {
    const NpzArchive archive(input, job);
    const NpzEntry* pictures = nullptr;
    for (const std::string_view wanted : {std::string_view(key), std::string_view("images"), std::string_view("arr_0")})
        if (pictures == nullptr && !wanted.empty() && (key.empty() || wanted == key))
            pictures = archive.find(wanted);
    if (pictures == nullptr || !pictures->header)
        refuse(input.name(), key.empty() ? "pictures as 'images' or 'arr_0'" : "pictures as '" + printable(key) + "'",
               pictures != nullptr ? pictures->problem : archive.listing());
    PictureParts parts;
    parts.images = readPictures(archive, *pictures, input, job);
    const std::size_t rows = parts.images->rows();
    parts.ids = readIdList(archive, "ids", rows, job);
    parts.labels = readLabelList(archive, pictures->key == "arr_0" ? "arr_1" : "labels", rows, job);
    return parts;
}

PictureParts picturesOfNpy(const InputFile& input, const std::string& key, PictureOrder /*order*/,
                           const JobContext& job) {
    if (!key.empty())
        refuse(input.name(), "an archive with a key '" + printable(key) + "'",
               "a single array (.npy), which has no keys");
    const auto source = input.open();
    const NpyHeader header = readNpyHeader(*source, input.name());
    requirePictures(header, input.name());
    const auto& shape = header.shape;
    PictureParts parts;
    parts.images = std::make_shared<const ImageStore>(readNpyBytes(*source, header, input.name(), job), shape[0],
                                                      shape[1], shape[2], shape.size() == 4 ? shape[3] : 1);
    return parts;
}

PictureParts readPictureParts(const std::string& spec, PictureOrder order, const JobContext& job) {
    const FileSpec parsed = parseFileSpec(spec);
    const InputFile input = InputFile::onDisk(parsed.file);
    const Format& format = formatOf(input);
    if (format.pictures == nullptr)
        refuse(input.name(), "a folder of pictures or an array of them", std::string(format.description));
    return format.pictures(input, parsed.key, order, job);
}

} // namespace assay
