#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/files/input_file.h"
#include "engine/io/pictures/picture_sets.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The readers that format_table.cpp lists; Format describes the kinds of functions.

namespace assay {

/// A file as named on the command line: `FILE` or `FILE:KEY`, where KEY names an array in the file.
struct FileSpec {
    std::string file;
    std::string key; ///< empty: the reader finds the embeddings by convention
};

/// Splits `FILE:KEY`. If a file of the whole name exists, there is no key. Otherwise, FILE is the longest part before a
/// colon that is an existing file; failing that, the part up to the last ending of a format with keys
/// (endingsWithKeys()) that a colon follows.
FileSpec parseFileSpec(const std::string& text);

/// Reads the pictures of a file or folder; the content decides the format. Pictures of a folder are only listed and are
/// decoded on demand.
/// @param spec `FILE`, `FILE.npz:KEY` or a folder
/// @param order order of a folder's pictures
/// @return at least one picture, with ids, classes and groups where there are any, and notes on what was left out; no
///         embeddings
/// @throws Error{BadInput} naming the file, what was expected and what was found; Error{NotEnoughMemory}; Cancelled
EmbeddingParts readPictureParts(const std::string& spec, PictureOrder order, const JobContext& job);

/// A file format for embeddings. A new format needs one file with its functions and one row of the table.
struct Format {
    std::string_view description; ///< for messages: "a NumPy archive (.npz)"
    std::string_view patterns;    ///< file names, separated by spaces: "*.npz"; empty for folders

    /// Recognises the format by the content (`head()`, `size()`, `isDirectory()`), not by the name. Fast; never throws.
    bool (*recognises)(const InputFile& input);

    /// Reads the set. `key` names the array that the user chose, empty for none. The reader sets `source.key`; the
    /// caller sets name, file and hash.
    /// @throws Error{BadInput}, Error{NotEnoughMemory}, Cancelled
    EmbeddingParts (*read)(const InputFile& input, const std::string& key, const JobContext& job);

    /// Keys of the arrays that could be the embeddings when the conventions do not decide; else empty. Null for formats
    /// without keys.
    /// @throws Error{BadInput}, Error{NotEnoughMemory}, Cancelled
    std::vector<std::string> (*choices)(const InputFile& input, const JobContext& job) = nullptr;

    /// Reads only the pictures, see readPictureParts(). Null for formats without pictures.
    EmbeddingParts (*pictures)(const InputFile& input, const std::string& key, PictureOrder order,
                               const JobContext& job) = nullptr;

    /// Whether the files hold pictures without embeddings: `read` then computes the built-in embedding, which takes
    /// time.
    bool onlyPictures = false;

    /// Whether a key says what one sample is (a clip or a frame), and not which array is taken.
    bool keysAreUnits = false;
};

/// All formats, in the order in which they are tried.
std::span<const Format> formatTable();

/// The first format that recognises the content.
/// @throws Error{BadInput} as refuseUnknown() when no format recognises it
const Format& formatOf(const InputFile& input);

/// File endings of the formats whose arrays have keys, in the order of the table: ".npz". Their patterns are endings.
std::vector<std::string_view> endingsWithKeys();

/// Throws Error{BadInput}, one short sentence: the file, where the formats are listed, and lookOf() the file.
[[noreturn]] void refuseUnknown(const InputFile& input);

bool recognisesNpy(const InputFile& input);
EmbeddingParts readNpy(const InputFile& input, const std::string& key, const JobContext& job);

bool recognisesNpz(const InputFile& input);
EmbeddingParts readNpz(const InputFile& input, const std::string& key, const JobContext& job);
bool recognisesSafetensors(const InputFile& input);
/// Tensors of shape [N, d] of type F16, BF16, F32, F64 or integer. Reads one-dimensional integer tensors `labels` and
/// `ids` too.
/// Source: https://huggingface.co/docs/safetensors
EmbeddingParts readSafetensors(const InputFile& input, const std::string& key, const JobContext& job);

/// By the signature at offset 0, 512, 1024, 2048, ... Works also in builds without HDF5.
bool recognisesHdf5(const InputFile& input);
/// Datasets of floats or integers of shape [N, d], contiguous or chunked, with or without gzip; `FILE.h5:GROUP/NAME`
/// names one. Reads `labels`, `ids` (one-dimensional, integers or text) and `images` (uint8) of the same group too.
/// @throws Error{BadInput} also in builds without HDF5
EmbeddingParts readHdf5(const InputFile& input, const std::string& key, const JobContext& job);
/// As Format::pictures: the dataset of the key, or `images`.
EmbeddingParts picturesOfHdf5(const InputFile& input, const std::string& key, PictureOrder order,
                              const JobContext& job);

bool recognisesTorch(const InputFile& input);
/// A tensor, or a dictionary of tensors, as listed by TorchFile. Chooses the embeddings, labels and ids as
/// readSafetensors() does; labels and ids may also be lists of text.
EmbeddingParts readTorch(const InputFile& input, const std::string& key, const JobContext& job);

bool recognisesTable(const InputFile& input);
/// Lines of fields separated by commas, semicolons or tabs, with or without a header: see docs/formats.md. Error
/// messages name the line and the column.
EmbeddingParts readTable(const InputFile& input, const std::string& key, const JobContext& job);

bool recognisesPictureFolder(const InputFile& input);
/// One row per picture. Ids are the paths below the folder, classes are the folders. Uses the built-in embedding, which
/// a note states. Pictures are decoded again for display. A picture that cannot be decoded is left out and named in a
/// note. The hash is the SHA-256 of the lines that `sha256sum` prints for all pictures, sorted by path.
EmbeddingParts readPictureFolder(const InputFile& input, const std::string& key, const JobContext& job);

bool recognisesClipParts(const InputFile& input);
/// A folder written by clip-retrieval: `img_emb/img_emb_0.npy`, `img_emb_1.npy`, ... or a folder with such files. Rows
/// are in the order of the file numbers, which start at 0. The key `text_emb` selects the text embeddings instead.
/// Beyond the result, only headers and the current piece are in memory. The hash is the SHA-256 of the lines that
/// `sha256sum` prints for the files in this order, with names relative to their folder. Source:
/// https://github.com/rom1504/clip-retrieval
EmbeddingParts readClipParts(const InputFile& input, const std::string& key, const JobContext& job);

/// A folder with .npy files, at any depth, more than pictures.
bool recognisesClipFolder(const InputFile& input);
/// A folder of one .npy per clip: [features], one sample a file; or [frames, features], one sample a file (the mean of
/// its frames, key `clips`) or one a frame (key `frames`). Rows are sorted by path. Ids are the paths without ending,
/// followed by `:frame` for frames; classes are the folders. The hash is that of the lines that `sha256sum` prints for
/// all files, sorted by path.
EmbeddingParts readClipFolder(const InputFile& input, const std::string& key, const JobContext& job);

/// As Format::pictures: an array of uint8 (in an archive the key's, `images` or `arr_0`), or the files of a folder.
EmbeddingParts picturesOfNpy(const InputFile& input, const std::string& key, PictureOrder order, const JobContext& job);
EmbeddingParts picturesOfNpz(const InputFile& input, const std::string& key, PictureOrder order, const JobContext& job);
EmbeddingParts picturesOfFolder(const InputFile& input, const std::string& key, PictureOrder order,
                                const JobContext& job);

bool recognisesPictureZip(const InputFile& input);
/// As readPictureFolder(), from a zip archive. Classes come from StyleGAN's dataset.json when the archive has one.
EmbeddingParts readPictureZip(const InputFile& input, const std::string& key, const JobContext& job);

bool recognisesIdx(const InputFile& input);
/// Pictures [N, height, width] of unsigned bytes, optionally gzip-compressed, with the built-in embedding. Classes come
/// from the label file in the same folder when both are named as for MNIST. Source: https://yann.lecun.com/exdb/mnist
EmbeddingParts readIdx(const InputFile& input, const std::string& key, const JobContext& job);

/// A file named .bin whose label bytes are in range, or that also has one of CIFAR's own names.
bool recognisesCifar(const InputFile& input);
/// Records of CIFAR-10 (3073 bytes) or CIFAR-100 (3074 bytes; uses the fine labels), with the built-in embedding.
/// Source: https://www.cs.toronto.edu/~kriz/cifar.html
EmbeddingParts readCifar(const InputFile& input, const std::string& key, const JobContext& job);

bool recognisesPickle(const InputFile& input);
/// CIFAR's batches for Python: a pickle, which is parsed but never executed.
EmbeddingParts readCifarPickle(const InputFile& input, const std::string& key, const JobContext& job);

/// Keys of the arrays that could be the embeddings when the conventions do not decide; else empty.
/// @throws Error{BadInput} when the arrays cannot be listed, also in builds without the format; Cancelled
std::vector<std::string> npzChoices(const InputFile& input, const JobContext& job);
std::vector<std::string> safetensorsChoices(const InputFile& input, const JobContext& job);
std::vector<std::string> hdf5Choices(const InputFile& input, const JobContext& job);
std::vector<std::string> torchChoices(const InputFile& input, const JobContext& job);
/// "clips" and "frames" when some clip has several frames.
std::vector<std::string> clipFolderChoices(const InputFile& input, const JobContext& job);

} // namespace assay
