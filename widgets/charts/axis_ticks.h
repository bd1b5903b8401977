#pragma once

#include <vector>

namespace assay {

/// Round numbers (1, 2 or 5 times a power of ten apart) within [low, high], about `wanted` of them and at least two
/// where the range allows.
std::vector<double> axisTicks(double low, double high, int wanted);

/// The next larger of the steps that axes have: 1, 2, 5, 10, ..
double coarserStep(double step);

} // namespace assay
