#include "engine/math/statistics/kolmogorov.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace assay {

double kolmogorovDistance(std::span<const float> a, std::span<const float> b) {
    const double perA = 1.0 / static_cast<double>(a.size());
    const double perB = 1.0 / static_cast<double>(b.size());
    double largest = 0.0;
    // Once one sample has ended, the difference can only shrink.
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const float x = std::min(a[i], b[j]);
        while (i < a.size() && a[i] == x)
            ++i;
        while (j < b.size() && b[j] == x)
            ++j;
        largest = std::max(largest, std::abs(static_cast<double>(i) * perA - static_cast<double>(j) * perB));
    }
    return largest;
}

double kolmogorovTail(double x) {
    if (!(x > 0.0))
        return 1.0;
    constexpr double kPi = std::numbers::pi;
    constexpr double kBothConverge = 1.0; // three terms of either series are exact to 1e-15 or better
    constexpr int kTerms = 5;
    double sum = 0.0;
    if (x < kBothConverge) {
        for (int k = 1; k <= kTerms; ++k)
            sum += std::exp(-std::pow((2 * k - 1) * kPi / x, 2) / 8.0);
        return std::clamp(1.0 - std::sqrt(2.0 * kPi) / x * sum, 0.0, 1.0);
    }
    for (int k = 1; k <= kTerms; ++k)
        sum += (k % 2 == 1 ? 2.0 : -2.0) * std::exp(-2.0 * k * k * x * x);
    return std::clamp(sum, 0.0, 1.0);
}

} // namespace assay
