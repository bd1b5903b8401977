#include "engine/math/statistics/rarefaction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <math.h> // lgamma_r: std::lgamma writes a global

namespace assay {
namespace {

/// Logarithm of the number of ways to choose `chosen` of `all`; minus infinity if there is none.
double logChoose(std::size_t all, std::size_t chosen) {
    if (chosen > all)
        return -std::numeric_limits<double>::infinity();
    int sign = 0;
    const auto logFactorial = [&sign](std::size_t n) { return lgamma_r(static_cast<double>(n) + 1.0, &sign); };
    return logFactorial(all) - logFactorial(chosen) - logFactorial(all - chosen);
}

} // namespace

Variety varietyOf(const std::map<std::size_t, std::size_t>& groups, std::size_t drawn) {
    std::size_t all = 0;
    for (const auto& [size, number] : groups)
        all += size * number;
    // Of a group of `count` samples exactly `some` are drawn.
    const double ways = logChoose(all, drawn);
    const auto chance = [&](std::size_t count, std::size_t some) {
        return some > drawn || some > count
                   ? 0.0
                   : std::exp(logChoose(count, some) + logChoose(all - count, drawn - some) - ways);
    };
    double different = 0.0;
    double singles = 0.0;
    double pairs = 0.0;
    for (const auto& [count, number] : groups) {
        const auto many = static_cast<double>(number);
        different += many * (1.0 - chance(count, 0));
        singles += many * chance(count, 1);
        pairs += many * chance(count, 2);
    }
    // Without one sample of its own a group of one is gone, and a group of two becomes single.
    const auto size = static_cast<double>(drawn);
    const double inOthers = size - singles - 2.0 * pairs;
    const double meanLost = singles / size;
    const double meanSingle = (singles - 2.0 * pairs) / size;
    const double differentVariance = singles * (1.0 - meanLost);
    const double singleVariance = singles * std::pow(1.0 - meanSingle, 2.0) +
                                  2.0 * pairs * std::pow(1.0 + meanSingle, 2.0) + inOthers * meanSingle * meanSingle;
    return {{different, std::sqrt(std::max(0.0, differentVariance))},
            {singles, std::sqrt(std::max(0.0, singleVariance))}};
}

} // namespace assay
