#pragma once

#include "engine/io/numpy/npy_header.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// One of several arrays of a file, described by its header.
struct NamedArray {
    std::string key;
    NpyHeader header; ///< in NumPy's terms; size 0 for an unsupported type
};

/// A format's name for a type.
struct NamedType {
    std::string_view name;
    NpyType::Kind kind;
    std::size_t bytes;
};

/// The type of that name; NpyType::Kind::Other, with the name, when it is none of the known ones.
NpyType typeNamed(std::string_view name, std::span<const NamedType> known, NpyType::ByteOrder order);

/// Text that lists at most the first twenty arrays: `'x' float32 [2, 3]; 'y' int64 [2]`.
std::string listingOf(const std::vector<NamedArray>& arrays);

/// Chooses the array that holds the embeddings: that of the key; without a key, the array 'embeddings', or the only one
/// that could be samples (sampleMatrices()).
/// @param file for messages
/// @return index of the array
/// @throws Error{BadInput} that lists the arrays of the file
std::size_t chooseMatrix(const std::vector<NamedArray>& arrays, const std::string& file, const std::string& key);

/// Note for the user: which array was taken, and which arrays of numbers were left out. Empty when the file has no
/// other but `labels`, `groups`, `ids` and `images` of the same group.
std::string othersNote(const std::vector<NamedArray>& arrays, std::size_t chosen, const std::string& file);

/// The array `series`, or the only series; null when there are several or none.
template <typename Array, typename IsSeries>
const Array* seriesOf(const std::vector<Array>& arrays, const IsSeries& isSeries) {
    const Array* found = nullptr;
    for (const Array& array : arrays) {
        if (!isSeries(array))
            continue;
        if (array.key == "series")
            return &array;
        if (found != nullptr)
            return nullptr;
        found = &array;
    }
    return found;
}

/// The keys from which the user must choose; empty when chooseMatrix() needs no key, or when no choice is possible.
std::vector<std::string> matrixChoices(const std::vector<NamedArray>& arrays);

/// The matrices among the arrays that could be samples, by name and shape. Beside a sparse matrix, a matrix of at most
/// three columns is taken for a projection.
/// @return indices in the order of the file
std::vector<std::size_t> sampleMatrices(const std::vector<NamedArray>& arrays);

/// Refuses a file whose only matrices are no samples, or are sparse: names them, what they look like, and the way out.
/// Returns when the file has no matrix.
/// @throws Error{BadInput}
void refuseOtherKinds(const std::vector<NamedArray>& arrays, const std::string& file);

} // namespace assay
