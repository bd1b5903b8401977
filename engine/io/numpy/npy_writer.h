#pragma once

#include "engine/base/job_context.h"
#include "engine/io/archives/zip_archive.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace assay {

/// View of an array to be written: C order, native byte order. Does not own the data.
struct NpyView {
    std::string descr; ///< NumPy's name of the element type, such as `<f4`
    std::size_t itemBytes = 0;
    std::vector<std::size_t> shape;
    std::span<const std::byte> data; ///< all elements, in C order
};

/// NumPy's name of a type of numbers in native byte order: "<f8", "<u4", "|u1", ...
template <typename T>
requires std::is_arithmetic_v<T> std::string npyDescr() {
    const char order = sizeof(T) == 1 ? '|' : std::endian::native == std::endian::little ? '<' : '>';
    const char kind = std::is_same_v<T, bool>       ? 'b'
                      : std::is_floating_point_v<T> ? 'f'
                      : std::is_signed_v<T>         ? 'i'
                                                    : 'u';
    return std::string{order, kind} + std::to_string(sizeof(T));
}

/// Views numbers as an array of the given shape. The numbers must outlive the view.
template <typename T>
NpyView npyView(std::span<const T> values, std::vector<std::size_t> shape) {
    return {npyDescr<T>(), sizeof(T), std::move(shape), std::as_bytes(values)};
}

/// One array of an archive.
struct NpzItem {
    std::string key;
    NpyView array;
};

using NpzPacking = ZipPacking;

/// Writes a .npy file (version 1.0), atomically.
/// @throws Error{WriteFailed} naming the file; Error{InvalidArgument} when data and shape disagree; Cancelled
void writeNpy(const std::string& file, const NpyView& array, const JobContext& job = {});

/// Writes an .npz archive, atomically; uses zip64 beyond 4 GiB. Equal arrays always produce identical bytes.
/// @throws Error{WriteFailed} naming the file; Error{InvalidArgument} when data and shape disagree; Cancelled
void writeNpz(const std::string& file, std::span<const NpzItem> items, NpzPacking packing, const JobContext& job = {});

/// How to store texts that are all integers in plain decimal form.
enum class WholeNumbers { AsNumbers, AsText };

/// A list of texts as a NumPy array: int64 when all texts are integers, else Unicode text of fixed width. Reading the
/// array gives equal texts, except that zero characters at the end of a text are lost: NumPy uses them as padding.
class NpyTextArray {
public:
    /// @param texts UTF-8; other bytes become `\xff` (utf8OrEscaped())
    /// @throws Error{InvalidArgument} when one long text would make the array larger than 4 GiB
    explicit NpyTextArray(const std::vector<std::string>& texts, WholeNumbers whole = WholeNumbers::AsNumbers);

    /// The one-dimensional array. Valid while this object lives.
    NpyView view() const;

private:
    std::size_t count_;
    std::size_t width_ = 0; ///< in code points; 0: integers
    std::vector<std::int64_t> numbers_;
    std::vector<char32_t> characters_; ///< count_ x width_, padded with zeros
};

/// The number whose plain decimal form the text is ("7", "-12", but not "07"); empty for other texts.
std::optional<std::int64_t> wholeNumberOf(std::string_view text);

} // namespace assay
