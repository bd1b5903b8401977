#pragma once

#include <QString>

#include <cstddef>

namespace assay {
class GalleryLayout;
}

/// Sizes of the gallery in logical pixels.
namespace assay::gallery {

inline constexpr int kGap = 6;
inline constexpr int kPairGap = 2;    ///< between a sample and its nearest one
inline constexpr int kStrip = 3;      ///< height of the colour strip under a picture
inline constexpr int kCaptionGap = 2; ///< below the strip, for the frame of a focused sample
inline constexpr int kCaptionTile = 40;
inline constexpr int kChipMargin = 8; ///< of both sides of a badge's text
inline constexpr int kHeaderMargin = 4;
inline constexpr int kCentreEdge = 28; ///< picture of the sample that a group is near

/// "show all 40" or "show fewer".
QString foldText(const GalleryLayout& layout, std::size_t group);

} // namespace assay::gallery
