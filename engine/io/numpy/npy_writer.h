#pragma once

#include "engine/base/job_context.h"
#include "engine/io/archives/zip_writer.h"

#include <bit>
#include <cstddef>
#include <span>
#include <string>
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

} // namespace assay
