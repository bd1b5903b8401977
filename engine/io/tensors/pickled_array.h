#pragma once

#include "engine/io/files/input_file.h"
#include "engine/io/numpy/npy_header.h"
#include "engine/io/tensors/pickle_reader.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace assay {

/// A NumPy array inside a pickle.
struct PickledArray {
    NpyHeader header;                  ///< as in a .npy file of the array; headerBytes is 0
    std::span<const std::byte> bytes;  ///< the elements' bytes; their number was checked
    std::shared_ptr<const void> owned; ///< owner of the bytes, unless they lie in the pickle

    /// Opens the elements for reading.
    std::unique_ptr<ByteSource> open(const std::string& where) const {
        return InputFile::inMemory(where, bytes).open();
    }
};

/// Interprets a value as an array.
/// @return empty when the value is not an array
/// @throws Error{BadInput} for an array that is damaged or holds Python objects
std::optional<PickledArray> arrayOf(const Pickle& pickle, PickleValue value, const std::string& where);

/// Interprets a value as a tuple or list of non-negative integers, such as a shape.
/// @return empty when the value is something else, or has more than 64 elements
std::optional<std::vector<std::uint64_t>> sizesOf(const Pickle& pickle, PickleValue value);

} // namespace assay
