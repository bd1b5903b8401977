#pragma once

#include "engine/base/job_context.h"
#include "engine/io/files/input_file.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace assay {

/// How a file writes addresses and lengths.
struct HeapLayout {
    std::size_t addressBytes = 8; ///< 2, 4 or 8
    std::size_t lengthBytes = 8;  ///< likewise
    std::uint64_t base = 0;       ///< of all addresses, in the file

    /// Of the reference that stands in an array for a text of any length: length, address, number.
    std::size_t referenceBytes() const noexcept { return 4 + addressBytes + 4; }
};

/// The texts that the references of an array stand for, which lie in the file's global heap. The library copies as many
/// bytes as the heap claims, whatever length the reference has; hence this reader.
/// Source: HDF5 File Format Specification 3.0, III.E (global heap).
/// @param references one after the other
/// @throws Error{BadInput} for damaged data, or more text than a file of this size can hold; Cancelled
std::vector<std::string> textsOfHeap(const InputFile& input, const HeapLayout& layout,
                                     std::span<const std::byte> references, const std::string& where,
                                     const JobContext& job);

} // namespace assay
