#pragma once

#include "engine/base/available_memory.h"
#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/data/float_storage.h"
#include "engine/io/files/input_file.h"
#include "engine/io/numpy/npy_header.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay {

/// The value of an IEEE 754 half-precision number. The conversion is exact for every half, subnormals included; NaN
/// keeps its payload.
/// @param bits 1 sign bit, 5 exponent bits, 10 fraction bits
constexpr float halfToFloat(std::uint16_t bits) noexcept {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1Fu;
    const std::uint32_t fraction = bits & 0x3FFu;
    if (exponent == 0) {
        // Subnormal or zero: fraction * 2^-24, which a float holds exactly.
        const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
        return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
    }
    const std::uint32_t wide = exponent == 0x1F ? 0xFFu : exponent + (127 - 15);
    return std::bit_cast<float>(sign | (wide << 23) | (fraction << 13));
}

/// float16, which C++20 lacks.
struct Half {
    std::uint16_t bits;
    explicit operator float() const noexcept { return halfToFloat(bits); }
    explicit operator double() const noexcept { return static_cast<double>(halfToFloat(bits)); }
};

/// bfloat16: the upper half of a float32.
struct BFloat16 {
    std::uint16_t bits;
    explicit operator float() const noexcept { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
    explicit operator double() const noexcept { return static_cast<double>(static_cast<float>(*this)); }
};

/// NumPy's bool: any nonzero byte is true.
struct Bool8 {
    std::uint8_t byte;
    template <typename Number>
    explicit operator Number() const noexcept {
        return static_cast<Number>(byte != 0 ? 1 : 0);
    }
};

/// Loads one element from bytes of any alignment and either byte order.
template <typename T>
T loadElement(const std::byte* from, NpyType::ByteOrder order) noexcept {
    std::byte bytes[sizeof(T)];
    std::memcpy(bytes, from, sizeof(T));
    if (order == NpyType::ByteOrder::Swapped)
        std::reverse(bytes, bytes + sizeof(T));
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

/// Calls `visit(std::type_identity<T>)` with the C++ type of the elements. @pre type.isNumeric()
template <typename Visit>
auto visitNumeric(const NpyType& type, Visit visit) {
    using enum NpyType::Kind;
    switch (type.kind) {
    case Float:
        if (type.itemBytes == 2)
            return visit(std::type_identity<Half>{});
        return type.itemBytes == 4 ? visit(std::type_identity<float>{}) : visit(std::type_identity<double>{});
    case BFloat:
        return visit(std::type_identity<BFloat16>{});
    case Unsigned:
        if (type.itemBytes == 1)
            return visit(std::type_identity<std::uint8_t>{});
        if (type.itemBytes == 2)
            return visit(std::type_identity<std::uint16_t>{});
        return type.itemBytes == 4 ? visit(std::type_identity<std::uint32_t>{})
                                   : visit(std::type_identity<std::uint64_t>{});
    case Integer:
        if (type.itemBytes == 1)
            return visit(std::type_identity<std::int8_t>{});
        if (type.itemBytes == 2)
            return visit(std::type_identity<std::int16_t>{});
        return type.itemBytes == 4 ? visit(std::type_identity<std::int32_t>{})
                                   : visit(std::type_identity<std::int64_t>{});
    default:
        return visit(std::type_identity<Bool8>{});
    }
}

/// Calls `visit(offset)` for every element of an array in C order.
/// @param strides of the storage, in elements, one per axis
template <typename Visit>
void forEachInOrder(std::span<const std::uint64_t> shape, std::span<const std::uint64_t> strides, const Visit& visit) {
    std::vector<std::uint64_t> index(shape.size());
    std::uint64_t offset = 0;
    for (auto left = std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies()); left > 0;
         --left) {
        visit(offset);
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            offset += strides[axis];
            if (++index[axis] < shape[axis])
                break;
            offset -= strides[axis] * std::exchange(index[axis], 0);
        }
    }
}

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
