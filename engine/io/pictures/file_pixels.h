#pragma once

#include "engine/data/image_store.h"

#include <cstdint>
#include <memory>
#include <string>

namespace assay {

/// Reads pixels from a file, which stays open. A file that is deleted or replaced by renaming is still read with its
/// old contents. After a write in place (detected by size and modification time), PixelSource::read returns false.
/// @param offset position of the first pixel in the file, in bytes
/// @throws Error{BadInput} when the file cannot be opened
std::shared_ptr<const PixelSource> pixelsInFile(const std::string& name, std::uint64_t offset);

} // namespace assay
