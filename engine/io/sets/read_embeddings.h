#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/data/float_storage.h"
#include "engine/io/files/input_file.h"
#include "engine/io/preparation/prepare.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/sets/set_files.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay {

struct SetFiles;

/// The rows of a file that one of several processes keeps.
struct RowShare {
    std::size_t part = 0; ///< counted from 0
    std::size_t parts = 1;

    /// The rows of this part. Parts are consecutive ranges; their sizes differ by at most one.
    RowRange of(std::size_t rows) const noexcept;
};

/// How a file is read.
struct ReadOptions {
    /// A file of at least this many bytes is memory-mapped and used in place instead of copied, if it is a float32
    /// `.npy` in C order (or a stored, aligned array of an `.npz`). This halves memory traffic, needs no own memory,
    /// and pages data in on demand when it does not fit into memory. It is off by default, because it needs a program
    /// that is prepared: when another program rewrites the file in place, values change (EmbeddingSet::requireUnchanged
    /// detects this); when it shortens the file, the process ends with SIGBUS (MappedFile). A window that stays open
    /// for hours should copy.
    std::uint64_t mapFrom = neverMap;
    unsigned threads = 0; ///< 0: every core

    /// With several parts, the set holds and checks only the rows of this part, and has no pictures. Labels, groups,
    /// ids and hash are read only for the first part. A file that cannot be mapped is read whole and then cut.
    RowShare share = {};

    /// The preparation of the real set with which this set will be compared. Null: this is the real set, and its
    /// preparation is fitted according to `choice`.
    PreparationPtr preparation{};
    PreparationChoice choice{};

    static constexpr std::uint64_t neverMap = ~std::uint64_t{0};
    /// A threshold for mapFrom: below it, copying takes only about 20 ms.
    static constexpr std::uint64_t mapLargeFiles = std::uint64_t{64} << 20;
};

/// Reads one set of samples. The content decides the format, not the file name's ending.
///
/// Values become float32: float16 and float32 exactly; float64 and integers rounded to the nearest, so integers above
/// 2^24 are rounded. Where rounding would lose differences between rows, an offset is subtracted first
/// (fitPreparation). NaN, infinite values and values beyond float32's range are refused; the message names row and
/// column. In an `.npz`, the embeddings are `embeddings`, else dgm-eval's `reps`, else the only two-dimensional numeric
/// array. `images` (uint8 [N, H, W] or [N, H, W, 1, 3 or 4]), `labels`, `groups` and `ids` (integers or text, [N]) are
/// read too and must have one entry per row. Pickled objects are never loaded: such arrays are left out. The set's name
/// is the file name without its ending. Its source holds the file as given, the key and the file's SHA-256.
/// @param fileSpec `FILE` or `FILE:KEY`, see parseFileSpec()
/// @throws Error{BadInput} naming the file and key, what was expected and what was found; Error{NotEnoughMemory};
///         Cancelled
std::shared_ptr<const EmbeddingSet> readEmbeddings(const std::string& fileSpec, const JobContext& job = {},
                                                   const ReadOptions& options = {});

/// Like readEmbeddings(), with pictures, classes and groups from other files, which replace those of the embeddings'
/// file.
/// Labels are joined first, because they may add ids; then the pictures. The notes of the set's source report how
/// entries were joined and what was left over.
/// @throws as readEmbeddings() and joinRows(); Error{BadInput} also when a row has no class
std::shared_ptr<const EmbeddingSet> readSet(const SetFiles& files, const JobContext& job = {},
                                            const ReadOptions& options = {});

/// Like readEmbeddings(), from the bytes of a file in memory.
/// @param name used as the file's name
std::shared_ptr<const EmbeddingSet> readEmbeddingsFromMemory(const std::string& name, std::span<const std::byte> bytes,
                                                             const std::string& key = {}, const JobContext& job = {},
                                                             const ReadOptions& options = {});

/// The keys of a file's arrays from which the user must choose (`FILE.npz:KEY`), because the conventions do not decide
/// which array holds the embeddings. Empty when no choice is needed, and when the file cannot be read: readEmbeddings()
/// then reports the error. Reads only the arrays' headers.
std::vector<std::string> candidateKeys(const std::string& file);

/// An array of NumPy in the memory of the calling program.
struct LentArray {
    std::string header;                           ///< as the bytes before the elements in a .npy file
    std::span<const std::byte> elements{};        ///< in the order that the header tells
    std::shared_ptr<const ExternalMemory> memory; ///< owner of `elements`
};

/// The arrays of one set of samples.
struct SetArrays {
    std::string name;                  ///< of the set
    std::string place;                 ///< stands for a file's name in messages, reports and records
    std::optional<LentArray> values{}; ///< embeddings [N, d] or series [N, steps, features]; empty: only pictures
    bool isSeries = false;             ///< said of values of three features, which could be point clouds
    std::optional<LentArray> images{}; ///< uint8 [N, H, W] or [N, H, W, 1, 3 or 4]
    std::optional<LentArray> labels{}; ///< integers, whole floats or text, [N]
    std::optional<LentArray> ids{};    ///< integers or text, [N]
    std::optional<LentArray> groups{}; ///< as labels
};

/// Reads a set from arrays in memory as readSet() reads it from a file of the same arrays. An aligned float32 matrix in
/// C order that needs no preparation is used in place; everything else is copied. The hash of the set's source is the
/// one of the .npy file of the values, or of the pictures where there are no values.
/// @param beside files of pictures and classes, in place of the arrays'
/// @throws as readSet(); Error{InvalidArgument} without values and pictures
std::shared_ptr<const EmbeddingSet> readArrays(const SetArrays& arrays, const JobContext& job = {},
                                               const ReadOptions& options = {}, const SetFiles& beside = {});

} // namespace assay
