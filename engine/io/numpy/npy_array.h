#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/data/float_storage.h"
#include "engine/io/files/input_file.h"
#include "engine/io/numpy/npy_header.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace assay {

// Each function reads the elements that follow a header; readNpyHeader() must have read the header from the same
// source. It reads to the end of the source, compares every count with the bytes that exist before it allocates memory,
// and reacts to a stop request within milliseconds. All throw Error{BadInput} naming `where`, Error{NotEnoughMemory}
// and Cancelled.

/// A matrix that was read from a file.
struct MatrixWithHashes {
    std::vector<float> values;
    std::vector<std::uint64_t> rowHash; ///< as FileFacts::rowHash
};

/// A two-dimensional numeric array as float32, row-major, rows x columns.
///
/// float16 and float32 are converted exactly; float64 and integers are rounded to the nearest float32, so integers are
/// exact up to 2^24 (16,777,216). Converts piece by piece while the bytes arrive; needs only a few MiB beyond the
/// result. Refuses NaN, infinite values and values beyond float32's range; the message names the first row and column.
/// @param reading subtracts an offset before values are rounded, and keeps non-finite values if requested. 64-bit
///        integers keep all digits until the offset is subtracted.
MatrixWithHashes takeNpyMatrix(ByteSource& source, const NpyHeader& header, const std::string& where,
                               const ValueReading& reading, const JobContext& job);

/// Moves a matrix, read with the requested offset if any, into the parts of a set.
inline void take(EmbeddingParts& parts, MatrixWithHashes matrix) {
    parts.values = FloatStorage(std::move(matrix.values));
    parts.fileFacts.rowHash = std::move(matrix.rowHash);
    parts.fileFacts.hasOffset = true;
}

/// A view of the elements without a copy. Does not check for NaN and infinite values.
/// @param payload the bytes after the header
/// @param memory owner of `payload`; the view keeps it alive
/// @return empty when a view is not possible: the array is not a two-dimensional float32 array in native byte order and
///         C order, is not aligned, or does not match its header (takeNpyMatrix() reports this error)
std::optional<FloatStorage> viewNpyMatrix(std::span<const std::byte> payload,
                                          const std::shared_ptr<const ExternalMemory>& memory, const NpyHeader& header);

/// An array of uint8 of any shape, in C order. @return all elements
std::vector<std::uint8_t> readNpyBytes(ByteSource& source, const NpyHeader& header, const std::string& where,
                                       const JobContext& job);

/// All elements of a numeric array as doubles, in the order of the file.
/// @throws Error{BadInput} also for NaN and infinite values
std::vector<double> readNpyDoubles(ByteSource& source, const NpyHeader& header, const std::string& where,
                                   const JobContext& job);

/// A one-dimensional array of integers or booleans.
/// @throws Error{BadInput} also for values beyond int64
std::vector<std::int64_t> readNpyIntegers(ByteSource& source, const NpyHeader& header, const std::string& where,
                                          const JobContext& job);

/// A one-dimensional array of text (dtype U or S) as UTF-8, without padding zeros; or of integers, as decimal text.
/// Bytes that are not UTF-8 become `\xff` (utf8OrEscaped()).
/// @throws Error{BadInput} as readNpyIntegers()
std::vector<std::string> readNpyTexts(ByteSource& source, const NpyHeader& header, const std::string& where,
                                      const JobContext& job);

/// Checks that the array can hold embeddings: numeric, two-dimensional, at least one row and one column.
/// @throws Error{BadInput}
void requireMatrix(const NpyHeader& header, const std::string& where);

} // namespace assay
