#pragma once

#include "engine/io/files/input_file.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// Type of an array's elements, from the `descr` of a .npy header.
struct NpyType {
    enum class Kind {
        Bool,
        Integer,
        Unsigned,
        BFloat, ///< bfloat16, which NumPy lacks: the upper half of a float32
        Float,
        Text,   ///< U: UTF-32 code units, padded with zeros
        Bytes,  ///< S: bytes, padded with zeros
        Object, ///< O: a pickle, which is never read
        Other   ///< well formed, but nothing that Assay reads: complex, dates, records, ...
    };
    enum class ByteOrder { Native, Swapped };

    Kind kind = Kind::Other;
    std::size_t itemBytes = 0; ///< 0 for Object and Other
    ByteOrder order = ByteOrder::Native;
    std::string descr; ///< as written in the header

    bool isNumeric() const noexcept { return kind <= Kind::Float; }
    bool isFloat() const noexcept { return kind == Kind::Float || kind == Kind::BFloat; }
    bool isText() const noexcept { return kind == Kind::Text || kind == Kind::Bytes; }
    /// For people: `float32`, `uint8`, `text (<U5)`, `object`.
    std::string text() const;
};

/// The type that NumPy writes as `<f4`.
/// @throws Error{BadInput} where that is no such text
NpyType npyTypeOf(const std::string& descr, const std::string& where);

/// What the header of a .npy array says.
struct NpyHeader {
    enum class Order { C, Fortran };

    NpyType type;
    Order order = Order::C;
    std::vector<std::uint64_t> shape; ///< empty for a single value
    std::uint64_t headerBytes = 0;    ///< from the magic to the first element

    /// Number of elements. @return nothing when it does not fit 64 bits
    std::optional<std::uint64_t> count() const noexcept;
    /// For people: `float32 [1000, 128]`.
    std::string text() const;
};

/// The six bytes that begin every .npy array.
inline constexpr std::string_view npyMagic = "\x93NUMPY";

/// Reads the magic, the version (1.0, 2.0 or 3.0) and the header, leaving `source` at the first element.
///
/// The header is parsed as the dictionary literal that NumPy writes (keys descr, fortran_order, shape) and as nothing
/// more: nothing is evaluated. Source: numpy.lib.format.
/// @param where file, or file and key, for messages
/// @throws Error{BadInput} for anything else
NpyHeader readNpyHeader(ByteSource& source, const std::string& where);

/// Makes sure that the array's elements are exactly the bytes that `source` holds behind the header, so that room may
/// be made for them.
/// @throws Error{BadInput} when the type has no size, the product overflows or the bytes are fewer or more
void requirePayload(const NpyHeader& header, const ByteSource& source, const std::string& where);

} // namespace assay
