#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"

#include <string>
#include <vector>

namespace assay {

/// Classes, ids or both of a set's samples, in a file of their own.
struct SampleLabels {
    std::size_t rows = 0;
    std::vector<std::string> ids; ///< one per row, or none
    ClassLabels labels;           ///< likewise
    std::string sha256;           ///< of the file
};

/// Reads a table (columns named id, filename, file or path; label or class; others are left out; one column without a
/// header is of classes), a 1-D `.npy` of whole numbers or text (classes), or `labels` and `ids` of an `.npz`.
/// @param file `FILE`, or `FILE.npz:KEY` for the classes
/// @throws Error{BadInput}; Cancelled
SampleLabels readLabels(const std::string& file, const JobContext& job);

} // namespace assay
