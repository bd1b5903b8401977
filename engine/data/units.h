#pragma once

namespace assay {

/// Which way a number is better. NearestToZero, ToHalf and ToOne: on either side of that number it is worse.
enum class Direction { Higher, Lower, Neutral, NearestToZero, NearestToHalf, NearestToOne };

/// How good a value is, the higher the better; NaN where no direction is better.
double merit(Direction better, double value);

/// Whose samples a per-sample column describes.
enum class Side { Synthetic, Real };

/// How a number is written for people: a share in [0, 1], a length in the embedding's unit, nats, a count, yes/no,
/// the row of a sample, or one of some words (Column::words).
enum class Unit { Share, Nats, Distance, Count, YesNo, Row, Ratio, Word };

} // namespace assay
