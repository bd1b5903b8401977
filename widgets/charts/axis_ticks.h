#pragma once

#include <vector>

namespace assay {

/// Round numbers (1, 2 or 5 times a power of ten apart) within [low, high], about `wanted` of them and at least two
/// where the range allows.
std::vector<double> axisTicks(double low, double high, int wanted);

/// Round numbers within [low, high], both above 0, for a logarithmic axis: 1, 2 and 5 times powers of ten, or powers
/// alone where these would be many. At least two where the range allows.
std::vector<double> logarithmicTicks(double low, double high);

/// Decimals that tell numbers a step apart.
int tickDecimals(double step);

/// The next larger of the steps that axes have: 1, 2, 5, 10, ..
double coarserStep(double step);

} // namespace assay
