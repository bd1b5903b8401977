#pragma once

#include "engine/io/files/input_file.h"

#include <memory>
#include <string>

namespace assay {

/// What a gzip file holds, unpacked as it is read.
/// @param packed from its first byte
/// @param packedBytes its size, which bounds that of what it holds
/// @return a source whose size is the most that so many bytes can unpack to
std::unique_ptr<ByteSource> openGzip(std::unique_ptr<ByteSource> packed, std::uint64_t packedBytes,
                                     const std::string& where);

/// Whether a file begins as gzip does.
bool isGzip(const InputFile& input);

} // namespace assay
