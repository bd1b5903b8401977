#include "engine/io/preparation/low_frequencies.h"

#include <cmath>
#include <numbers>

namespace assay {
namespace {

/// Element `at` of the vector with `halfPeriods` half periods, of unit length.
double cosine(std::size_t halfPeriods, std::size_t at, std::size_t side) {
    const auto n = static_cast<double>(side);
    const double angle = std::numbers::pi * (static_cast<double>(at) + 0.5) * static_cast<double>(halfPeriods) / n;
    return std::sqrt((halfPeriods == 0 ? 1.0 : 2.0) / n) * std::cos(angle);
}

} // namespace

DoubleMatrix lowFrequencies(std::size_t side, std::size_t channels, std::size_t frequencies) {
    DoubleMatrix rows(frequencies * (frequencies + 1) / 2 * channels, side * side * channels);
    std::size_t row = 0;
    for (std::size_t sum = 0; sum < frequencies; ++sum)
        for (std::size_t down = 0; down <= sum; ++down)
            for (std::size_t channel = 0; channel < channels; ++channel, ++row)
                for (std::size_t y = 0; y < side; ++y)
                    for (std::size_t x = 0; x < side; ++x)
                        rows.at(row, (y * side + x) * channels + channel) =
                            cosine(down, y, side) * cosine(sum - down, x, side);
    return rows;
}

} // namespace assay
