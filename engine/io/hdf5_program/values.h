#pragma once

#include <cstdint>
#include <string>

namespace assay::hdf5 {

enum class Elements { Values, Texts };

/// Writes the elements of a dataset to the standard output, a band of rows at a time (protocol.h). Ends the process by
/// SIGALRM when the library takes minutes over one band.
/// @param file open file (hid_t)
/// @param key path of the dataset
/// @param memory limit in bytes; 0: none
/// @throws Refusal when the elements are missing, or packed by an unknown filter; std::bad_alloc
void writeElements(std::int64_t file, const std::string& key, Elements elements, std::uint64_t memory);

/// Limits the address space of this process; also `seconds` for what comes next. @param bytes 0: no limit
void limit(std::uint64_t bytes, unsigned seconds);

/// Writes to the standard output; the process ends by SIGPIPE when nobody reads.
void writeOut(const void* bytes, std::size_t count);

} // namespace assay::hdf5
