#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/readers/format_table.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace assay {

/// Classes, ids or both of a set's samples, or their groups, from a separate file.
struct SampleLabels {
    std::size_t rows = 0;
    std::vector<std::string> ids; ///< one per row, or empty
    ClassLabels labels;           ///< classes or groups, one per row, or empty
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

/// Reads groups, and ids where there are any, as readLabels() does: the key of an `.npz` is `groups`. A table's groups
/// are the column of the key, else one named group, patient, subject, video, ..., in singular or plural, also with _id;
/// else the only one beside the ids.
/// @param spec with the array's key or the column's name, or without
/// @throws Error{BadInput} also when no sample has a group; Cancelled
SampleLabels readGroups(const FileSpec& spec, const JobContext& job, std::span<const std::string> wanted = {});

/// Fields of a table's first line; none when the file is no table or cannot be read.
std::vector<std::string> columnsOfTable(const std::string& file);

} // namespace assay
