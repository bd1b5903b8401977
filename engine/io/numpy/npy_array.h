#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/data/float_storage.h"
#include "engine/io/files/value_reading.h"
#include "engine/io/numpy/npy_header.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay {

// Each function reads the elements behind a header that readNpyHeader() has read from the same source, to the source's
// end, checks every count against the bytes really there before it makes room, and stops within milliseconds when the
// job is stopped. All throw Error{BadInput} naming `where`, Error{NotEnoughMemory} and Cancelled.

/// What a function like the following ones returns.
template <typename Reader>
using ReadBy =
    std::invoke_result_t<const Reader&, ByteSource&, const NpyHeader&, const std::string&, const JobContext&>;

/// A 2-D numeric array as float32, row-major, rows x columns.
///
/// float16 and float32 are taken exactly, float64 and integers rounded to the nearest float32: whole numbers are exact
/// up to 2^24 (16,777,216). Converted piece by piece as the bytes arrive; the only memory beyond the result is a few
/// MiB. NaN, infinite values and values beyond float32's range are refused with the first row and column.
std::vector<float> readNpyMatrix(ByteSource& source, const NpyHeader& header, const std::string& where,
                                 const JobContext& job);

/// A matrix as it was taken from a file.
struct TakenMatrix {
    std::vector<float> values;
    std::vector<std::uint64_t> rowHash; ///< AsInFile::rowHash
};

/// The same with an offset, subtracted before values are rounded, and with values that are not finite where they are
/// kept. Whole numbers of 64 bits lose nothing before the offset is off.
TakenMatrix takeNpyMatrix(ByteSource& source, const NpyHeader& header, const std::string& where,
                          const ValueReading& reading, const JobContext& job);

/// Moves a matrix that was read with an offset, or none, into the parts of a set.
inline void take(EmbeddingParts& parts, TakenMatrix matrix) {
    parts.values = FloatStorage(std::move(matrix.values));
    parts.asInFile.rowHash = std::move(matrix.rowHash);
    parts.asInFile.hasOffset = true;
}

/// The same without a copy: the elements where they lie in `payload`, the bytes behind the header, kept alive by
/// `memory`. NaN and infinite values are not looked for.
/// @return nothing when they cannot serve as they are: not a matrix of float32 in this machine's byte order, row after
///         row and aligned to their size; or a header that does not fit, which readNpyMatrix refuses
std::optional<FloatStorage> viewNpyMatrix(std::span<const std::byte> payload,
                                          const std::shared_ptr<const ForeignMemory>& memory, const NpyHeader& header);

/// An array of uint8 of any shape, in C order.
std::vector<std::uint8_t> readNpyBytes(ByteSource& source, const NpyHeader& header, const std::string& where,
                                       const JobContext& job);

/// A 1-D array of integers or truth values. @throws Error{BadInput} also for values beyond int64
std::vector<std::int64_t> readNpyIntegers(ByteSource& source, const NpyHeader& header, const std::string& where,
                                          const JobContext& job);

/// A 1-D array of text (dtype U or S) as UTF-8, without the zeros that pad it. Bytes that are not UTF-8 are taken as
/// Latin-1.
std::vector<std::string> readNpyText(ByteSource& source, const NpyHeader& header, const std::string& where,
                                     const JobContext& job);

/// Makes sure that the array can be a set of embeddings: numeric, two-dimensional, at least one row and column.
/// @throws Error{BadInput}
void requireMatrix(const NpyHeader& header, const std::string& where);

} // namespace assay
