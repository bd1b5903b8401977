#pragma once

#include "engine/data/image_store.h"
#include "engine/data/preparation.h"

#include <memory>
#include <span>

namespace assay {

/// Side of a picture of a window, in pixels.
inline constexpr std::size_t kSeriesPictureSide = 256;

/// Pictures of the windows of a series, drawn on demand: a curve for each feature over the steps, RGB on white, from
/// three standard deviations below the mean to three above. What goes beyond lies on the border.
/// @param values windows x steps x features, standardised by the real set, so that pictures of several sets compare
std::shared_ptr<const ImageStore> seriesPictures(std::span<const float> values, WindowShape window);

} // namespace assay
