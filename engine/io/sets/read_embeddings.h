#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/files/file_spec.h"
#include "engine/io/preparation/prepare.h"
#include "engine/io/sets/set_files.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace assay {

/// Which rows of a file are kept where several processes share them out.
struct RowShare {
    std::size_t part = 0; ///< counted from 0
    std::size_t parts = 1;

    /// The rows of this part: consecutive, in order of the parts, numbers differing by at most one.
    RowRange of(std::size_t rows) const noexcept;
};

/// How a file is read.
struct ReadOptions {
    /// A float32 `.npy` in C order (and a stored, aligned array of an `.npz`) in a file of at least so many bytes is
    /// looked at where it lies, in the mapped file, instead of copied: half the memory traffic, no memory of its own,
    /// and what does not fit into memory is paged in as needed. Never by default, because it asks something of the
    /// program: whoever rewrites the file in place meanwhile changes the values (EmbeddingSet::requireUnchanged detects
    /// that) or, shortening it, ends the process with SIGBUS (MappedFile). A window that is open for hours had better
    /// copy.
    std::uint64_t mapFrom = neverMap;
    unsigned threads = 0; ///< 0: every core

    /// With several parts a set holds, and checks, only this part's rows. Pictures are left out, and in all but the
    /// first part the labels, ids and hash, too. What cannot be mapped is read whole and then cut.
    RowShare share = {};

    /// The preparation of the real set that this set is to be compared with. Null: this is the real set, and its own is
    /// fitted as chosen.
    PreparationPtr preparation{};
    PreparationChoice choice{};

    static constexpr std::uint64_t neverMap = ~std::uint64_t{0};
    /// Below this, copying takes some 20 ms and is not worth a second thought.
    static constexpr std::uint64_t mapLargeFiles = std::uint64_t{64} << 20;
};

/// Reads one set of samples, whatever format the file's content shows it to be (not its extension).
///
/// Rows become float32: float16 and float32 exactly, float64 and integers rounded to the nearest (whole numbers above
/// 2^24 are rounded, too), less an offset where rounding would lose the difference between rows (fitPreparation). NaN,
/// infinite values and values beyond float32's range are refused with their row and column. An `.npz` is read by
/// convention: `embeddings`, else dgm-eval's `reps`, else the only 2-D numeric array. `images` (uint8 [N, H, W] or [N,
/// H, W, 1, 3 or 4]), `labels` and `ids` (whole numbers or text, [N]) go with whichever array is read and must have as
/// many entries as it has rows. Pickled objects are never loaded: such companions are left out. The set's name is the
/// file's stem. Its source holds the file as given, the key and the file's SHA-256.
/// @throws Error{BadInput} naming the file and key, what was expected and what was found; Error{NotEnoughMemory};
///         Cancelled
std::shared_ptr<const EmbeddingSet> readEmbeddings(const std::string& fileSpec, const JobContext& job = {},
                                                   const ReadOptions& options = {});

/// The same with pictures and classes from elsewhere: first the labels are joined, which may bring ids, then the
/// pictures. Replaces those that come with the embeddings. How things were joined, and what was left over, is reported
/// in the notes of the set's source.
/// @throws as readEmbeddings and joinRows; Error{BadInput} also where a row has no class
std::shared_ptr<const EmbeddingSet> readSet(const SetFiles& files, const JobContext& job = {},
                                            const ReadOptions& options = {});

/// The same from the bytes of a file in memory.
/// @param name stands for the file's name
std::shared_ptr<const EmbeddingSet> readEmbeddingsFromMemory(const std::string& name, std::span<const std::byte> bytes,
                                                             const std::string& key = {}, const JobContext& job = {},
                                                             const ReadOptions& options = {});

/// The keys of a file's arrays among which a person has to choose (`FILE.npz:KEY`), because the conventions leave open
/// which holds the embeddings. Empty where they do not, and where the file cannot be read: reading it says why. Reads
/// the headers of the arrays.
std::vector<std::string> arraysToChooseFrom(const std::string& file);

} // namespace assay
