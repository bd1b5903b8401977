#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"

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

} // namespace assay
