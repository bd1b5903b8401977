#pragma once

#include "engine/io/files/input_file.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// Type of an array's elements, from `descr` in a .npy header.
struct NpyType {
    enum class Kind {
        Bool,
        Integer,
        Unsigned,
        BFloat, ///< bfloat16: the upper half of a float32; NumPy does not have it
        Float,
        Text,   ///< U: UTF-32 code units, padded with zeros
        Bytes,  ///< S: bytes, padded with zeros
        Object, ///< O: a pickle; never read
        Other   ///< valid, but not supported: complex, dates, records, ...
    };
    enum class ByteOrder { Native, Swapped };
    static constexpr bool kIsLittle = std::endian::native == std::endian::little;
    static constexpr ByteOrder kLittleEndian = kIsLittle ? ByteOrder::Native : ByteOrder::Swapped;
    static constexpr ByteOrder kBigEndian = kIsLittle ? ByteOrder::Swapped : ByteOrder::Native;

    Kind kind = Kind::Other;
    std::size_t itemBytes = 0; ///< 0 for Object and Other
    ByteOrder order = ByteOrder::Native;
    std::string descr; ///< as written in the header

    bool isNumeric() const noexcept { return kind <= Kind::Float; }
    bool isFloat() const noexcept { return kind == Kind::Float || kind == Kind::BFloat; }
    bool isWhole() const noexcept { return isNumeric() && !isFloat(); }
    bool isByte() const noexcept { return kind == Kind::Unsigned && itemBytes == 1; }
    bool isText() const noexcept { return kind == Kind::Text || kind == Kind::Bytes; }
    /// Text for the user: `float32`, `uint8`, `text (<U5)`, `object`.
    std::string text() const;
};

/// Parses NumPy's name of a type, such as `<f4`.
/// @throws Error{BadInput} when the text is not such a name
NpyType npyTypeOf(const std::string& descr, const std::string& where);

/// Contents of a .npy array's header.
struct NpyHeader {
    enum class Order { C, Fortran };

    NpyType type;
    Order order = Order::C;
    std::vector<std::uint64_t> shape; ///< empty for a single value
    std::uint64_t headerBytes = 0;    ///< from the magic bytes to the first element

    /// Number of elements; empty when it does not fit 64 bits.
    std::optional<std::uint64_t> count() const noexcept;
    /// Text for the user: `float32 [1000, 128]`.
    std::string text() const;
};

/// The header without axes of length one, as far as two axes are left: [N, 1, d], [N, d, 1, 1] and [1, N, d] are [N,
/// d]. Floats [windows, steps, 1] stay as they are: series of one feature.
NpyHeader withoutUnitAxes(NpyHeader header);
/// The header with one axis when all others are of length one: [N, 1] and [1, N] are [N]. Others stay as they are.
NpyHeader asList(NpyHeader header);

/// The six bytes at the start of every .npy array.
inline constexpr std::string_view npyMagic = "\x93NUMPY";

/// Reads the magic bytes, the version (1.0, 2.0 or 3.0) and the header. Leaves `source` at the first element.
///
/// The parser accepts only the dictionary literal that NumPy writes (keys descr, fortran_order, shape); nothing is
/// evaluated. Source: numpy.lib.format.
/// @param where file, or file and key, for messages
/// @throws Error{BadInput} for anything else
NpyHeader readNpyHeader(ByteSource& source, const std::string& where);

/// Checks that `source` holds exactly the bytes of the array's elements after the header, so that memory may be
/// allocated for them.
/// @throws Error{BadInput} when the type has no size, the product overflows, or there are fewer or more bytes
void requirePayload(const NpyHeader& header, const ByteSource& source, const std::string& where);

} // namespace assay
