#pragma once

#include "engine/data/image_store.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace assay {

/// Row number that stands for a missing picture.
inline constexpr std::uint32_t kNoPicture = std::numeric_limits<std::uint32_t>::max();

/// Pictures of another store, read on demand.
/// @param rows of `all`, one for each picture; of kNoPicture all pixels are 0
std::shared_ptr<const ImageStore> chosenPictures(std::shared_ptr<const ImageStore> all,
                                                 std::vector<std::uint32_t> rows);

} // namespace assay
