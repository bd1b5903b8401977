#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"

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

/// Reads one of: a table (id column: id, filename, file or path; class column: label or class; other columns are
/// ignored; a single column without a header holds classes), a one-dimensional `.npy` of integers or text (classes), or
/// `labels` and `ids` of an `.npz`.
/// @param file `FILE`, or `FILE.npz:KEY` for the classes
/// @throws Error{BadInput}; Cancelled
SampleLabels readLabels(const std::string& file, const JobContext& job);

} // namespace assay
