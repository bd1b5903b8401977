#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/numpy/npz_archive.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Makes sure that an array can be a list of classes or ids. @param what "labels" @throws Error{BadInput}
void requireList(const NpyHeader& header, const std::string& where, const std::string& what);

/// A 1-D array of whole numbers or text as texts. Reads the header from the source first.
/// @throws Error{BadInput}; Cancelled
std::vector<std::string> readTextList(ByteSource& source, const std::string& where, const std::string& what,
                                      const JobContext& job);
/// The same as classes.
ClassLabels readClassList(ByteSource& source, const std::string& where, const JobContext& job);

/// An entry of an archive as ids or classes of `rows` samples; none where there is no such key, or a pickle.
/// @throws Error{BadInput} where it has another number of entries, or is no list; Cancelled
std::vector<std::string> readIdList(const NpzArchive& archive, std::string_view key, std::size_t rows,
                                    const JobContext& job);
ClassLabels readLabelList(const NpzArchive& archive, std::string_view key, std::size_t rows, const JobContext& job);

/// The first folder of each path, where every path has one and they differ in it; else none.
ClassLabels classesOfPaths(const std::vector<std::string>& paths);

} // namespace assay
