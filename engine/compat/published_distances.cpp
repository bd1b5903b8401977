#include "engine/compat/published_distances.h"

#include "engine/metrics/tables/values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace assay::compat {
namespace {

/// Recovers the squared distance from its square root. Of the possible values it prefers one with few digits, as sums
/// of integers have, so that values halfway between two float32 numbers are rounded as in the program.
double squareOf(double distance) {
    constexpr int kBits = 44;
    const double product = distance * distance;
    int exponent = 0;
    const double mantissa = std::frexp(product, &exponent);
    const double round = std::ldexp(std::nearbyint(std::ldexp(mantissa, kBits)), exponent - kBits);
    return std::sqrt(round) == distance ? round : product;
}

template <typename Function>
std::vector<double> transformed(std::span<const double> values, const Function& function) {
    std::vector<double> results(values.size());
    std::ranges::transform(values, results.begin(), function);
    return results;
}

} // namespace

float pairwiseDistance(double distance) {
    return std::sqrt(static_cast<float>(squareOf(distance)));
}

FitMethod fitMethod(std::size_t neighbors, const EmbeddingSet& fitted) {
    constexpr std::size_t kTreeUpTo = 15;
    return fitted.dim() > kTreeUpTo || neighbors >= fitted.rows() / 2 ? FitMethod::Brute : FitMethod::Tree;
}

double neighborDistance(double distance, FitMethod method) {
    return method == FitMethod::Brute ? static_cast<double>(pairwiseDistance(distance)) : distance;
}

double ballOf(const std::function<bool(double)>& inside, double about) {
    if (!inside(0.0))
        return -std::numeric_limits<double>::denorm_min();
    // Doubles of one sign are ordered as their bits are.
    auto low = std::bit_cast<std::uint64_t>(0.0);
    auto high = std::bit_cast<std::uint64_t>(2.0 * about + std::numeric_limits<double>::min());
    while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        (inside(std::bit_cast<double>(middle)) ? low : high) = middle;
    }
    return std::bit_cast<double>(low);
}

std::vector<double> strictPairwiseBalls(std::span<const double> radius) {
    return transformed(radius, [](double r) {
        return ballOf([bound = pairwiseDistance(r)](double d) { return pairwiseDistance(d) < bound; }, r);
    });
}

std::vector<double> closedPairwiseBalls(std::span<const double> radius, FitMethod method) {
    return transformed(radius, [method](double r) {
        const double bound = neighborDistance(r, method);
        return ballOf([bound](double d) { return static_cast<double>(pairwiseDistance(d)) <= bound; }, r);
    });
}

std::vector<double> neighborDistances(std::span<const double> distance, FitMethod method) {
    return transformed(distance, [method](double d) { return neighborDistance(d, method); });
}

PassResult countBalls(const CompatInputs& in, std::span<const double> real, std::span<const double> inner,
                      std::span<const double> synthetic) {
    return in.search.between({in.real.set->matrix(), 0, real, inner}, {in.model.set->matrix(), 0, synthetic}, in.job);
}

double pairwiseSum(std::span<const double> values) {
    constexpr std::size_t kLanes = 8;
    constexpr std::size_t kBlock = 128;
    if (values.size() < kLanes)
        return std::accumulate(values.begin(), values.end(), 0.0);
    if (values.size() > kBlock) {
        const std::size_t half = values.size() / 2 / kLanes * kLanes;
        return pairwiseSum(values.first(half)) + pairwiseSum(values.subspan(half));
    }
    std::array<double, kLanes> lane{};
    const std::size_t whole = values.size() / kLanes * kLanes;
    for (std::size_t i = 0; i < whole; ++i)
        lane[i % kLanes] += values[i];
    const double sum = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(whole), values.end(), sum);
}

double shareHeld(std::span<const std::uint32_t> counts) {
    return metrics::shareAbove(counts, 0);
}

double total(std::span<const std::uint32_t> counts) {
    return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
}

} // namespace assay::compat
