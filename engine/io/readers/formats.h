#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/files/input_file.h"
#include "engine/io/readers/picture_parts.h"

#include <string>
#include <vector>

// The readers that format_table.cpp lists; see Format for what each pair does.
namespace assay {

bool recognisesNpy(const InputFile& input);
EmbeddingParts readNpy(const InputFile& input, const std::string& key, const JobContext& job);

bool recognisesNpz(const InputFile& input);
EmbeddingParts readNpz(const InputFile& input, const std::string& key, const JobContext& job);
bool recognisesSafetensors(const InputFile& input);
/// Tensors F16, BF16, F32, F64 and whole numbers, [N, d]. 1-D whole-number tensors `labels` and `ids` go with them.
/// Source: https://huggingface.co/docs/safetensors
EmbeddingParts readSafetensors(const InputFile& input, const std::string& key, const JobContext& job);
/// As npzChoices.
std::vector<std::string> safetensorsChoices(const InputFile& input, const JobContext& job);

/// By the signature at the beginning, or behind a block of 512, 1024, ... bytes. Also where the build reads no HDF5.
bool recognisesHdf5(const InputFile& input);
/// Datasets of floats and whole numbers, [N, d], whole or in chunks, packed by gzip or not; `FILE.h5:GROUP/NAME`.
/// `labels`, `ids` (1-D, whole numbers or text) and `images` (uint8) of the same group go with them.
/// @throws Error{BadInput} also where the build reads no HDF5
EmbeddingParts readHdf5(const InputFile& input, const std::string& key, const JobContext& job);
/// As npzChoices.
std::vector<std::string> hdf5Choices(const InputFile& input, const JobContext& job);
/// As Format::pictures: `images`, or the key's.
PictureParts picturesOfHdf5(const InputFile& input, const std::string& key, PictureOrder order, const JobContext& job);

/// Also where the build reads no Parquet.
bool recognisesParquet(const InputFile& input);
/// Columns of numbers as a table has them, or one column of lists of numbers of one length: `embeddings`, `embedding`,
/// the only one, or the key's. Ids, classes and text as in tables.
/// @throws Error{BadInput} also where the build reads no Parquet
EmbeddingParts readParquet(const InputFile& input, const std::string& key, const JobContext& job);
/// As npzChoices.
std::vector<std::string> parquetChoices(const InputFile& input, const JobContext& job);

bool recognisesTorch(const InputFile& input);
/// A tensor, or a dictionary of tensors, as TorchFile finds them; which is taken, and what goes with it, as for
/// readSafetensors. Labels and ids may be lists of text, too.
EmbeddingParts readTorch(const InputFile& input, const std::string& key, const JobContext& job);
/// As npzChoices.
std::vector<std::string> torchChoices(const InputFile& input, const JobContext& job);

bool recognisesTable(const InputFile& input);
/// Lines of fields between commas, semicolons or tabs, with or without a header: see docs/formats.md. Refuses with line
/// and column.
EmbeddingParts readTable(const InputFile& input, const std::string& key, const JobContext& job);

bool recognisesPictureFolder(const InputFile& input);
/// One row per picture, ids their paths below the folder, classes its folders; pictures are decoded again when they are
/// looked at. The embedding is the built-in one, which the notes say. A picture that cannot be decoded is left out and
/// named in the notes. The hash is that of the lines that `sha256sum` prints of all pictures, in order of their paths.
EmbeddingParts readPictureFolder(const InputFile& input, const std::string& key, const JobContext& job);

bool recognisesClipParts(const InputFile& input);
/// A folder that clip-retrieval writes: `img_emb/img_emb_0.npy`, `img_emb_1.npy`, ... or a folder of such files. Rows
/// are in the order of the numbers, which begin at 0; the key `text_emb` takes the texts instead. Only headers and the
/// piece at hand are in memory beside the result. The hash is that of the lines that `sha256sum` prints of the parts,
/// in their order, by their names in their folder. Source: https://github.com/rom1504/clip-retrieval
EmbeddingParts readClipParts(const InputFile& input, const std::string& key, const JobContext& job);

/// As Format::pictures: an array of uint8; `images` or `arr_0` of an archive, or the key's; the files of a folder.
PictureParts picturesOfNpy(const InputFile& input, const std::string& key, PictureOrder order, const JobContext& job);
PictureParts picturesOfNpz(const InputFile& input, const std::string& key, PictureOrder order, const JobContext& job);
PictureParts picturesOfFolder(const InputFile& input, const std::string& key, PictureOrder order,
                              const JobContext& job);

bool recognisesPictureZip(const InputFile& input);
/// As readPictureFolder, from a zip archive; classes from StyleGAN's dataset.json, where that is in it.
EmbeddingParts readPictureZip(const InputFile& input, const std::string& key, const JobContext& job);

bool recognisesIdx(const InputFile& input);
/// Pictures [N, height, width] of unsigned bytes, also in gzip, with the built-in embedding; classes from the file of
/// labels beside them, where it is named as MNIST's is. Source: https://yann.lecun.com/exdb/mnist
EmbeddingParts readIdx(const InputFile& input, const std::string& key, const JobContext& job);

/// By what may stand at the labels' places, in a file named .bin; by name alone where that is CIFAR's own.
bool recognisesCifar(const InputFile& input);
/// CIFAR-10's records of 3073 bytes or CIFAR-100's of 3074 (whose fine labels are taken), with the built-in embedding.
/// Source: https://www.cs.toronto.edu/~kriz/cifar.html
EmbeddingParts readCifar(const InputFile& input, const std::string& key, const JobContext& job);

bool recognisesPickle(const InputFile& input);
/// CIFAR's batches for Python: a pickle, of which nothing is run.
EmbeddingParts readCifarPickle(const InputFile& input, const std::string& key, const JobContext& job);

/// The keys of the arrays that could be the embeddings, where the archive does not say which; else none.
/// @throws as NpzArchive
std::vector<std::string> npzChoices(const InputFile& input, const JobContext& job);

} // namespace assay
