#pragma once

#include <span>

namespace assay {

/// Largest difference of the distribution functions of two samples of one dimension (Kolmogorov and Smirnov).
/// @param a, b ascending, not empty
/// @return in [0, 1]
double kolmogorovDistance(std::span<const float> a, std::span<const float> b);

/// Probability that the Kolmogorov distribution is above x: the asymptotic p-value of x = sqrt(n m / (n + m)) times the
/// distance of two samples of n and m values of one continuous law. Conservative where values tie.
/// @return in [0, 1]; 1 for x <= 0
/// Source: Kolmogorov 1933; Smirnov, Annals of Mathematical Statistics 1948, both forms of the series.
double kolmogorovTail(double x);

} // namespace assay
