#pragma once

#include <QFontMetrics>
#include <QString>
#include <QStringList>

/// Lengths within a grid, in logical pixels, and how its captions are broken.
namespace assay::grid {

inline constexpr int kBetween = 6;            ///< pictures of a cell beside each other: room for both frames
inline constexpr int kBetweenStacked = 2;     ///< pictures of a cell below each other, each with its strip
inline constexpr int kStrip = 3;              ///< height of the strip of colour below a picture
inline constexpr int kCaptionGap = 2;         ///< below the strip, for the frame of a focused sample
inline constexpr int kSmallestCaptioned = 36; ///< edge of pictures from which on there are captions
inline constexpr int kChipMargin = 8;         ///< of both sides of a badge's text
inline constexpr int kHeadingMargin = 4;
inline constexpr int kHeadingPicture = 28;
inline constexpr int kFrame = 4; ///< of a focused sample

/// A caption in at most two lines: the number alone in the first one if the rest fits in the second, else as few words
/// as that takes. Line feeds break it, too.
QStringList captionParts(const QString& text, const QFontMetrics& metrics, int width);
/// Width that a caption needs in two lines.
int narrowestWidth(const QString& text, const QFontMetrics& metrics);

} // namespace assay::grid
