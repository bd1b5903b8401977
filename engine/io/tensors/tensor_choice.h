#pragma once

#include "engine/io/numpy/npy_header.h"

#include <cstddef>
#include <string>
#include <vector>

namespace assay {

/// One array of a file of several, as described by its header.
struct NamedArray {
    std::string key;
    NpyHeader header; ///< in NumPy's words; of an unknown type it has no size
};

/// The arrays in words, the first twenty: `'x' float32 [2, 3]; 'y' int64 [2]`.
std::string listingOf(const std::vector<NamedArray>& arrays);

/// The array by that key, or without one: by the name 'embeddings', or the only one of two dimensions.
/// @param file for messages
/// @return its index
/// @throws Error{BadInput} naming what there is
std::size_t chooseMatrix(const std::vector<NamedArray>& arrays, const std::string& file, const std::string& key);

/// The keys among which a person has to choose; none where chooseMatrix needs no key, or cannot choose.
std::vector<std::string> matrixChoices(const std::vector<NamedArray>& arrays);

} // namespace assay
