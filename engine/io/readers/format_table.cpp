#include "engine/io/readers/format_table.h"

#include "engine/base/find_by.h"
#include "engine/io/archives/gzip_source.h"
#include "engine/io/files/joined.h"
#include "engine/io/files/refusal.h"
#include "engine/io/readers/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace assay {
namespace {

constexpr std::array table = {
    Format{"a NumPy array (.npy)", "*.npy", recognisesNpy, readNpy, nullptr, picturesOfNpy},
    Format{"tensors of PyTorch (.pt, .pth)", "*.pt *.pth", recognisesTorch, readTorch, torchChoices},
    Format{"a zip archive of pictures", "*.zip", recognisesPictureZip, readPictureZip},
    Format{"a NumPy archive (.npz)", "*.npz", recognisesNpz, readNpz, npzChoices, picturesOfNpz},
    Format{"a file of tensors (.safetensors)", "*.safetensors", recognisesSafetensors, readSafetensors,
           safetensorsChoices},
    Format{"an HDF5 file (.h5)", "*.h5 *.hdf5 *.hdf", recognisesHdf5, readHdf5, hdf5Choices, picturesOfHdf5},
    Format{"a Parquet file (.parquet)", "*.parquet", recognisesParquet, readParquet, parquetChoices},
    Format{"a binary batch of CIFAR (.bin)", "*.bin", recognisesCifar, readCifar},
    Format{"a batch of CIFAR for Python", "data_batch_* test_batch", recognisesPickle, readCifarPickle},
    Format{"pictures in IDX (idx3-ubyte)", "*-ubyte *-ubyte.gz *.idx3", recognisesIdx, readIdx},
    Format{"a table (.csv, .tsv)", "*.csv *.tsv *.txt", recognisesTable, readTable},
    Format{"a folder of parts that clip-retrieval writes (img_emb_0.npy)", "", recognisesClipParts, readClipParts,
           nullptr, picturesOfFolder},
    Format{"a folder of pictures", "", recognisesPictureFolder, readPictureFolder, nullptr, picturesOfFolder, true},
};

std::string known() {
    return joined(table, " or ", &Format::description);
}

std::string beginning(const InputFile& input) {
    if (isGzip(input))
        return "a gzip file of something else than IDX: unpack it first";
    if (input.startsWith("\x89PNG") || input.startsWith("\xff\xd8\xff"))
        return "a single picture: open the folder that it is in";
    constexpr std::size_t shown = 8;
    const std::string_view head(reinterpret_cast<const char*>(input.head().data()),
                                std::min(input.head().size(), shown));
    const auto* bytes = reinterpret_cast<const unsigned char*>(head.data());
    return fmt::format("a file that begins with {:02x} ('{}')", fmt::join(bytes, bytes + head.size(), " "),
                       printable(head));
}

} // namespace

std::span<const Format> formatTable() {
    return table;
}

const Format& formatOf(const InputFile& input) {
    if (const Format* row = findBy(
            table, [&](const Format& format) { return format.recognises(input); }, true))
        return *row;
    if (input.isDirectory()) {
        std::error_code failure;
        const std::filesystem::directory_iterator listed(input.name(), failure);
        if (failure)
            refuse(input.name(), "a folder that can be read", failure.message());
        refuse(input.name(), known(), "a folder without pictures or parts of embeddings");
    }
    if (input.size() == 0)
        refuse(input.name(), known(), "an empty file");
    refuse(input.name(), known(), beginning(input));
}

} // namespace assay
