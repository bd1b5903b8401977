#pragma once

#include "engine/base/job_context.h"
#include "engine/io/files/input_file.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace assay {

/// How a file stores addresses and lengths.
struct HeapLayout {
    std::size_t addressBytes = 8; ///< 2, 4 or 8
    std::size_t lengthBytes = 8;  ///< 2, 4 or 8
    std::uint64_t base = 0;       ///< offset in the file to which all addresses are relative

    /// Bytes of one reference to a variable-length text in an array: length, address, object number.
    std::size_t referenceBytes() const noexcept { return 4 + addressBytes + 4; }
};

/// Reads the variable-length texts to which the references of an array point; they are stored in the file's global
/// heap. The library is not used for this, because it copies as many bytes as the heap claims, regardless of the
/// reference's length.
/// Source: HDF5 File Format Specification 3.0, III.E (global heap).
/// @param references stored references, one after the other
/// @return one text per reference
/// @throws Error{BadInput} for damaged data, or for more text than a file of this size can hold; Cancelled
std::vector<std::string> textsOfHeap(const InputFile& input, const HeapLayout& layout,
                                     std::span<const std::byte> references, const std::string& where,
                                     const JobContext& job);

} // namespace assay
