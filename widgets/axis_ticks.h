#pragma once

#include <vector>

namespace assay {

/// Round numbers (1, 2 or 5 times a power of ten apart) within [low, high], about `wanted` of them and at least two
/// where the range allows.
std::vector<double> axisTicks(double low, double high, int wanted);

} // namespace assay
