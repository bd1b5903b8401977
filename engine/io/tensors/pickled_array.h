#pragma once

#include "engine/io/files/input_file.h"
#include "engine/io/numpy/npy_header.h"
#include "engine/io/tensors/pickle_reader.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace assay {

/// A NumPy array that stands in a pickle.
struct PickledArray {
    NpyHeader header;                  ///< as of the same array in a .npy file, of no bytes of its own
    std::span<const std::byte> bytes;  ///< of the elements, as many as there are
    std::shared_ptr<const void> owned; ///< where they lie, unless in the pickle

    std::unique_ptr<ByteSource> open(const std::string& where) const {
        return InputFile::inMemory(where, bytes).open();
    }
};

/// @return nothing where the value is no array
/// @throws Error{BadInput} for an array that is damaged or of Python objects
std::optional<PickledArray> arrayOf(const Pickle& pickle, PickleValue value, const std::string& where);

/// A tuple or list of whole numbers that are not negative, such as a shape.
/// @return nothing where it is none, or has more than 64
std::optional<std::vector<std::uint64_t>> sizesOf(const Pickle& pickle, PickleValue value);

} // namespace assay
