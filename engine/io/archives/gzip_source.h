#pragma once

#include "engine/io/files/input_file.h"

#include <memory>
#include <string>

namespace assay {

/// Decompresses a gzip file while it is read.
/// @param packed source at the first byte of the gzip file
/// @param packedBytes size of the gzip file; limits the size of the decompressed data
/// @param where start of error messages
/// @return a source whose size() is an upper bound: the most that `packedBytes` bytes can decompress to. readSome()
///         throws Error{BadInput} for damaged data.
std::unique_ptr<ByteSource> openGzip(std::unique_ptr<ByteSource> packed, std::uint64_t packedBytes,
                                     const std::string& where);

/// Whether the file starts like a gzip file.
bool isGzip(const InputFile& input);

} // namespace assay
