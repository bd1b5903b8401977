#include "engine/data/units.h"

#include <cmath>
#include <limits>

namespace assay {

double merit(Direction better, double value) {
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

} // namespace assay
