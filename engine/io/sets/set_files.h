#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/pictures/picture_sets.h"
#include "engine/io/sets/join_rows.h"

#include <string>

namespace assay {

/// The files from which one set of samples is read.
struct SetFiles {
    std::string embeddings; ///< a file, `FILE.npz:KEY`, or a folder
    std::string pictures{}; ///< a folder or an array of pictures; empty: those of the embeddings' file
    std::string labels{};   ///< a table or array of classes, ids or both; empty: those of the embeddings' file
    JoinBy join = JoinBy::Auto;
    PictureOrder order = PictureOrder::Path; ///< order of the pictures when they are joined by row
    std::string note{};                      ///< for the user, in addition to the reader's notes
    /// A column of the set's own table or of its labels, a file, or "ids" for their stems; empty: as the readers find.
    std::string groups{};
    std::string original{}; ///< what Python converted to `embeddings`, for messages; empty for other files

    /// Whether only the embeddings' file is read.
    bool isPlain() const noexcept { return pictures.empty() && labels.empty() && groups.empty(); }

    /// A message about `embeddings` as one about `original`, where there is one: nobody knows the converted file.
    std::string inWordsOfOriginal(std::string text) const;

    friend bool operator==(const SetFiles&, const SetFiles&) = default;
};

/// Adds classes, ids, groups and pictures from other files to a set's rows; the source's notes report how.
/// @throws Error{BadInput} as joinRows(), and when a row has no class or group; Error{NotEnoughMemory}; Cancelled
void joinBeside(EmbeddingParts& parts, const SetFiles& files, const JobContext& job);

/// The files from which a set was read, with its join settings, so that reading them again gives the same set.
SetFiles filesOf(const SourceInfo& source);

} // namespace assay
