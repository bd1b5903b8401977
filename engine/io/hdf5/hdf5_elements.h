#pragma once

#include "engine/io/hdf5/global_heap.h"
#include "engine/io/numpy/npy_header.h"

#include <cstdint>
#include <string>

namespace assay {

/// Facts about the elements of a dataset.
struct Hdf5Element {
    enum class Padding { Zeros, ZeroAtEnd, Spaces };

    NpyType type;
    bool inHeap = false; ///< variable-length text: the elements are references
    Padding padding = Padding::Zeros;
};

/// A type that is not read. @param name for messages
NpyType otherHdf5Type(const std::string& name);

/// The elements of a type of the library (hid_t), which the caller has locked.
Hdf5Element hdf5ElementOf(std::int64_t type, const HeapLayout& heap);

} // namespace assay
