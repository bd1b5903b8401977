#include "engine/math/products/cosine_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/math/products/cosine_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// The series of cos(sqrt(z)) = 1 - z/2! + z^2/4! - .., whose next term is below 2^-27 for z up to (pi/2)^2.
constexpr std::size_t kTerms = 6;
constexpr std::array<float, kTerms + 1> seriesOfCosine() {
    std::array<float, kTerms + 1> terms{};
    double term = 1.0;
    for (std::size_t n = 0; n <= kTerms; ++n) {
        terms[n] = static_cast<float>(term);
        term = -term / static_cast<double>((2 * n + 1) * (2 * n + 2));
    }
    return terms;
}

/// Squared distances as arguments of the series.
struct Arguments {
    float shift; ///< a power of two that brings squared distances near 1, whatever their unit
    float scale; ///< from there to the argument of the series
    float limit; ///< on the squared distance
};

/// Without fused operations, so that all processors give the same bits.
template <class D>
HWY_INLINE hn::Vec<D> kernelOf(D d, hn::Vec<D> squared, const Arguments& arguments) {
    constexpr auto kSeries = seriesOfCosine();
    const auto rounder = hn::Set(d, 0x1.8p23F); // added and taken off again, it leaves a whole number
    const auto z = hn::Mul(hn::Mul(squared, hn::Set(d, arguments.shift)), hn::Set(d, arguments.scale));
    auto value = hn::Set(d, kSeries[kTerms]);
    for (std::size_t n = kTerms; n-- > 0;)
        value = hn::Add(hn::Mul(value, z), hn::Set(d, kSeries[n]));
    value = hn::Sub(hn::Add(hn::Mul(value, hn::Set(d, kKernelUnit)), rounder), rounder);
    const auto within = hn::Le(squared, hn::Set(d, arguments.limit));
    return hn::IfThenElseZero(hn::And(within, hn::Gt(value, hn::Zero(d))), value);
}

void cosines(const float* squared, std::size_t count, float squaredBandwidth, float* values) {
    constexpr double kQuarterTurn = std::numbers::pi * std::numbers::pi / 4.0;
    constexpr int kMaxShift = 126; // of numbers with all their digits
    Arguments arguments{1.0F, 0.0F, squaredBandwidth};
    if (squaredBandwidth > 0.0F) {
        const int shift = std::clamp(-std::ilogb(squaredBandwidth), -kMaxShift, kMaxShift);
        arguments.shift = std::ldexp(1.0F, shift);
        arguments.scale = static_cast<float>(kQuarterTurn / std::ldexp(static_cast<double>(squaredBandwidth), shift));
    }
    constexpr hn::CappedTag<float, 16> kFloats;
    constexpr std::size_t kLanes = hn::MaxLanes(kFloats);
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
        hn::StoreU(kernelOf(kFloats, hn::LoadU(kFloats, squared + i), arguments), kFloats, values + i);
    constexpr hn::CappedTag<float, 1> kOne;
    for (; i < count; ++i)
        hn::StoreU(kernelOf(kOne, hn::LoadU(kOne, squared + i), arguments), kOne, values + i);
}

void addPairs(const WeightedRows& to, std::size_t i, const std::uint32_t* rows, const float* values,
              std::size_t count) {
    constexpr hn::CappedTag<double, WeightedRows::kWeightLanes> kDoubles;
    constexpr hn::Rebind<float, decltype(kDoubles)> kFloats;
    for (std::size_t from = 0; from < to.width; from += hn::MaxLanes(kDoubles)) {
        const float* weights = to.weights + from;
        double* sums = to.sums + from;
        const auto own = hn::PromoteTo(kDoubles, hn::LoadU(kFloats, weights + i * to.width));
        auto sum = hn::Zero(kDoubles);
        for (std::size_t h = 0; h < count; ++h) {
            const auto value = hn::Set(kDoubles, static_cast<double>(values[h]));
            const std::size_t other = rows[h] * to.width;
            const auto weight = hn::PromoteTo(kDoubles, hn::LoadU(kFloats, weights + other));
            sum = hn::Add(sum, hn::Mul(value, weight));
            hn::StoreU(hn::Add(hn::LoadU(kDoubles, sums + other), hn::Mul(value, own)), kDoubles, sums + other);
        }
        hn::StoreU(hn::Add(hn::LoadU(kDoubles, sums + i * to.width), sum), kDoubles, sums + i * to.width);
    }
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
namespace {
HWY_EXPORT(cosines);
HWY_EXPORT(addPairs);
} // namespace

void cosineKernel(const float* squared, std::size_t count, float squaredBandwidth, float* values) {
    HWY_DYNAMIC_DISPATCH(cosines)(squared, count, squaredBandwidth, values);
}

void addBothWays(const WeightedRows& to, std::size_t i, const std::uint32_t* rows, const float* values,
                 std::size_t count) {
    HWY_DYNAMIC_DISPATCH(addPairs)(to, i, rows, values, count);
}

} // namespace assay
#endif
