#include "engine/math/statistics/binomial.h"

#include <unsupported/Eigen/SpecialFunctions>

#include <cmath>

namespace assay {
namespace {

/// Quantile of the beta distribution with parameters a and b, by bisection: the share at which the probability of at
/// least a certain number of successes is `chance`.
double shareAt(double a, double b, double chance) {
    double low = 0.0;
    double high = 1.0;
    for (int halving = 0; halving < 60; ++halving) {
        const double middle = (low + high) / 2.0;
        (Eigen::numext::betainc(a, b, middle) < chance ? low : high) = middle;
    }
    return (low + high) / 2.0;
}

} // namespace

Bounds clopperPearson(std::size_t successes, std::size_t trials, double level) {
    const double tail = (1.0 - level) / 2.0;
    const auto x = static_cast<double>(successes);
    const auto n = static_cast<double>(trials);
    return {successes == 0 ? 0.0 : shareAt(x, n - x + 1.0, tail),
            successes == trials ? 1.0 : shareAt(x + 1.0, n - x, 1.0 - tail)};
}

double atLeastSuccesses(double successes, double trials, double chance) {
    return successes > 0.0 ? Eigen::numext::betainc(successes, trials - successes + 1.0, chance) : 1.0;
}

double twoSharesPValue(std::size_t first, std::size_t ofFirst, std::size_t second, std::size_t ofSecond) {
    const auto n = static_cast<double>(ofFirst);
    const auto m = static_cast<double>(ofSecond);
    const double pooled = static_cast<double>(first + second) / (n + m);
    const double deviation = std::sqrt(pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m));
    if (!(deviation > 0.0))
        return 1.0;
    const double z = (static_cast<double>(first) / n - static_cast<double>(second) / m) / deviation;
    return std::erfc(std::abs(z) / std::sqrt(2.0));
}

} // namespace assay
