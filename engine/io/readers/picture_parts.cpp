#include "engine/io/readers/picture_parts.h"

#include "engine/io/files/file_spec.h"
#include "engine/io/files/refusal.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/numpy/npz_archive.h"
#include "engine/io/pictures/npz_pictures.h"
#include "engine/io/preparation/sample_lists.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/readers/formats.h"

#include <string_view>

namespace assay {
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
    requireNoKey(input.name(), key, "a single array (.npy), which has no keys");
    const auto source = input.open();
    const NpyHeader header = readNpyHeader(*source, input.name());
    PictureParts parts;
    parts.images = readPictures(*source, header, input.name(), job);
    return parts;
}

PictureParts readPictureParts(const std::string& spec, PictureOrder order, const JobContext& job) {
    const FileSpec parsed = parseFileSpec(spec);
    const InputFile input = InputFile::onDisk(parsed.file);
    const Format& format = formatOf(input);
    if (format.pictures != nullptr)
        return format.pictures(input, parsed.key, order, job);
    EmbeddingParts parts = format.read(input, parsed.key, job);
    if (!parts.images)
        refuse(input.name(), "pictures", std::string(format.description) + " without any");
    return {std::move(parts.images), std::move(parts.ids), std::move(parts.labels), {}};
}

} // namespace assay
