#include "engine/io/readers/format_table.h"

#include "engine/base/find_by.h"
#include "engine/io/readers/formats.h"
#include "engine/io/readers/unknown_file.h"

#include <array>

namespace assay {
namespace {

constexpr std::array table = {
    Format{"a NumPy array (.npy)", "*.npy", recognisesNpy, readNpy, nullptr, picturesOfNpy},
    Format{"tensors of PyTorch (.pt, .pth)", "*.pt *.pth", recognisesTorch, readTorch, torchChoices},
    Format{"a zip archive of pictures", "*.zip", recognisesPictureZip, readPictureZip},
    Format{"a NumPy archive (.npz)", "*.npz", recognisesNpz, readNpz, npzChoices, picturesOfNpz},
    Format{"a file of tensors (.safetensors)", "*.safetensors", recognisesSafetensors, readSafetensors,
           safetensorsChoices},
    Format{"an HDF5 file (.h5)", "*.h5 *.hdf5 *.hdf *.mat", recognisesHdf5, readHdf5, hdf5Choices, picturesOfHdf5},
    Format{"a binary batch of CIFAR (.bin)", "*.bin", recognisesCifar, readCifar},
    Format{"a batch of CIFAR for Python", "data_batch_* test_batch", recognisesPickle, readCifarPickle},
    Format{"pictures in IDX (idx3-ubyte)", "*-ubyte *-ubyte.gz *.idx3", recognisesIdx, readIdx},
    Format{"a table (.csv, .tsv)", "*.csv *.tsv *.txt", recognisesTable, readTable},
    Format{"a folder of parts that clip-retrieval writes (img_emb_0.npy)", "", recognisesClipParts, readClipParts,
           nullptr, picturesOfFolder},
    Format{"a folder of arrays (.npy), one per clip", "", recognisesClipFolder, readClipFolder, clipFolderChoices,
           picturesOfFolder, false, true},
    Format{"a folder of pictures", "", recognisesPictureFolder, readPictureFolder, nullptr, picturesOfFolder, true},
};

} // namespace

std::span<const Format> formatTable() {
    return table;
}

const Format& formatOf(const InputFile& input) {
    if (const Format* row = findBy(
            table, [&](const Format& format) { return format.recognises(input); }, true))
        return *row;
    refuseUnknown(input);
}

} // namespace assay
