#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay {

/// The end of a statistic's range that indicates a problem.
enum class Extreme { Low, High };

/// Conformal p-values: how extreme each value is among calibration values of good samples, p = (1 + number of
/// calibration values at least as extreme) / (1 + number of calibration values). Ties count as extreme. NaN calibration
/// values count as extreme as well, and a NaN value has p = 1, so that missing numbers never lead to a rejection. O((V
/// + C) log C). Source: Bates, Candes, Lei, Romano, Sesia, Annals of Statistics 2023.
/// @return one p-value per value, in (0, 1]
std::vector<double> conformalPValues(std::span<const double> values, std::vector<double> calibration, Extreme end);

/// Benjamini-Hochberg adjusted p-values: for each p-value the smallest false discovery rate at which it is rejected. At
/// the rate q, all p-values with an adjusted value of at most q are rejected. O(P log P).
/// @param p in [0, 1]
/// @return one adjusted p-value per value, in [0, 1]
std::vector<double> benjaminiHochberg(std::span<const double> p);

/// Estimated share of p-values that do not come from the uniform distribution in (0, 1]: max(0, 1 - (1 + number above
/// 1/2) / (P / 2)). 0 for no values. Source: Storey, JRSS B 2002.
/// @return in [0, 1)
double shareNotUniform(std::span<const double> p);

} // namespace assay
