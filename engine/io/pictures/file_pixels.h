#pragma once

#include "engine/data/image_store.h"

#include <cstdint>
#include <memory>
#include <string>

namespace assay {

/// Pixels in a file that is kept open, from an offset on. A file that is deleted or replaced by another of its name is
/// still read as it was; one that is written to in place, which size and time tell, is not read any more.
/// @throws Error{BadInput} when it cannot be opened
std::shared_ptr<const PixelSource> pixelsInFile(const std::string& name, std::uint64_t offset);

} // namespace assay
