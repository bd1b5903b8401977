#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay {

/// Which end of a statistic speaks against a sample.
enum class Extreme { Low, High };

/// Conformal p-values: how extreme each value is among calibration values known to be good,
/// p = (1 + number of those at least as extreme) / (1 + number of them). Ties count as extreme; so does a calibration
/// value that is not a number, and a statistic that is none has p = 1: doubt never accuses.
/// Source: Bates, Candes, Lei, Romano, Sesia, Annals of Statistics 2023. O((V + C) log C).
/// @return one per value, in (0, 1]
std::vector<double> conformalPValues(std::span<const double> values, std::vector<double> calibration, Extreme end);

/// Benjamini and Hochberg's adjusted p-values: the smallest false discovery rate at which each is rejected, so that at
/// the rate q those of at most q are. O(P log P).
/// @param p in [0, 1]
std::vector<double> adjustedForDiscovery(std::span<const double> p);

/// The smallest of `tests` independent p-values as one that is even in (0, 1] where nothing is wrong (Sidak).
double sidak(double smallest, std::size_t tests) noexcept;

/// Share of p-values that are not even in (0, 1]: max(0, 1 - (1 + number above 1/2) / (P / 2)).
/// Source: Storey, JRSS B 2002. 0 for no values.
double shareNotEven(std::span<const double> p);

} // namespace assay
