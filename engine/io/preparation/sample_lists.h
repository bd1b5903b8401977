#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/numpy/npz_archive.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Name of a list of classes in messages. Classes may also be whole numbers in floats, as pandas and R write them.
inline constexpr const char* kLabelList = "labels";

/// Checks that an array can be a list of classes or ids.
/// @param what name of the list in messages: kLabelList, or "ids"
/// @throws Error{BadInput}
void requireList(const NpyHeader& header, const std::string& where, const std::string& what);

/// Reads the header and then a one-dimensional array of integers or text, as texts.
/// @throws Error{BadInput}; Cancelled
std::vector<std::string> readTextList(ByteSource& source, const std::string& where, const std::string& what,
                                      const JobContext& job);
/// Reads the header and then a one-dimensional array of integers, text or floats, as classes; NaN is no class. Of a
/// one-hot array [N, C], the classes are the columns 0 to C - 1.
/// @throws Error{BadInput} also for fractions, and for a one-hot row without a single 1; Cancelled
ClassLabels readClassList(ByteSource& source, const std::string& where, const JobContext& job);
/// The same of an array of numbers whose header is known.
/// @param header of one dimension
ClassLabels readClassNumbers(ByteSource& source, const NpyHeader& header, const std::string& where,
                             const JobContext& job);

/// An entry of an archive as ids or classes of `rows` samples; empty when the key does not exist or is a pickle.
/// @throws Error{BadInput} when the number of entries differs from `rows`, or the array is not a list; Cancelled
std::vector<std::string> readIdList(const NpzArchive& archive, std::string_view key, std::size_t rows,
                                    const JobContext& job);
ClassLabels readLabelList(const NpzArchive& archive, std::string_view key, std::size_t rows, const JobContext& job);

} // namespace assay
