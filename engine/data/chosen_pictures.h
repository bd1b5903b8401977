#pragma once

#include "engine/data/image_store.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace assay {

/// Stands for a picture that there is none of.
inline constexpr std::uint32_t kNoPicture = std::numeric_limits<std::uint32_t>::max();

/// Pictures of another store, read when they are asked for.
/// @param rows of `all`, one for each picture; of kNoPicture all pixels are 0
std::shared_ptr<const ImageStore> chosenPictures(std::shared_ptr<const ImageStore> all,
                                                 std::vector<std::uint32_t> rows);

} // namespace assay
