#pragma once

#include <cmath>
#include <limits>

namespace assay {

/// Which values of a score are better. For NearestTo..., the best value is the named one, and deviation to either side
/// is worse. Neutral: no value is better than another.
enum class Direction { Higher, Lower, Neutral, NearestToZero, NearestToHalf, NearestToOne };

/// Goodness of a value: higher is better; NaN for Direction::Neutral.
inline double merit(Direction better, double value) {
    switch (better) {
    case Direction::Higher:
        return value;
    case Direction::Lower:
        return -value;
    case Direction::NearestToZero:
        return -std::abs(value);
    case Direction::NearestToHalf:
        return -std::abs(value - 0.5);
    case Direction::NearestToOne:
        return -std::abs(value - 1.0);
    case Direction::Neutral:
        break;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

/// Which samples a per-sample column describes.
enum class Side { Synthetic, Real };

/// Unit of a number, which decides how it is displayed: a share in [0, 1], nats, a distance in the embedding's unit, a
/// count, yes/no, the row of a sample, a ratio, or a word from a list (Column::words).
enum class Unit { Share, Nats, Distance, Count, YesNo, Row, Ratio, Word };

} // namespace assay
