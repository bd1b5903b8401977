#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/sets/set_files.h"

#include <span>
#include <string>
#include <vector>

namespace assay {

/// Classes, ids or both of a set's samples, from a separate file.
struct SampleLabels {
    std::size_t rows = 0;
    std::vector<std::string> ids; ///< one per row, or empty
    ClassLabels labels;           ///< one per row, or empty
    std::string sha256;           ///< hash of the file
};

/// Reads one of: a table, a one-dimensional `.npy` of integers or text (classes), or `labels` and `ids` of an `.npz`.
///
/// A table's ids are the column that has most of the wanted ids, whatever its name; else the first that is named as ids
/// are (isIdColumn). Its classes are the first column named label, class, target or category; other columns are
/// ignored. A single column without a header holds classes, and of two without a header the one beside the wanted ids.
/// @param file `FILE`, or `FILE.npz:KEY` for the classes
/// @param wanted ids of the rows or names of the pictures that get the labels; may be empty
/// @throws Error{BadInput}; Cancelled
SampleLabels readLabels(const std::string& file, const JobContext& job, std::span<const std::string> wanted = {});

/// Adds classes, ids and pictures from other files to a set's rows; the source's notes report how.
/// @throws Error{BadInput} as joinRows(), and when a row has no class; Error{NotEnoughMemory}; Cancelled
void joinBeside(EmbeddingParts& parts, const SetFiles& files, const JobContext& job);

/// The files from which a set was read, with its join settings, so that reading them again gives the same set.
SetFiles filesOf(const SourceInfo& source);

} // namespace assay
