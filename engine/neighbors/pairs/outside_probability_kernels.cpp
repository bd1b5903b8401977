#include "engine/neighbors/pairs/outside_probability_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/neighbors/pairs/outside_probability_kernels.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "engine/math/products/simd-inl.h"

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

using Doubles = hn::CappedTag<double, 8>;
using Floats = hn::Rebind<float, Doubles>;
constexpr Doubles kDoubles;
constexpr Floats kFloats;
constexpr std::size_t kStep = hn::MaxLanes(kDoubles);
constexpr std::size_t kTogether = 4; ///< rows that share the conversion of the one they are measured from

HWY_INLINE hn::Vec<Doubles> load(const float* from, std::size_t left) {
    return hn::PromoteTo(kDoubles, left >= kStep ? hn::LoadU(kFloats, from) : loadFirst(kFloats, from, left));
}

template <std::size_t Count>
HWY_INLINE void measure(const float* row, const float* const* rows, std::size_t dim, double* squared) {
    hn::Vec<Doubles> sums[2][Count]; // of every other vector, so that a sum is not waited for
    for (auto& half : sums)
        for (auto& sum : half)
            sum = hn::Zero(kDoubles);
    const auto add = [&](std::size_t half, std::size_t c) HWY_ATTR {
        const auto here = load(row + c, dim - c);
        for (std::size_t r = 0; r < Count; ++r) {
            const auto apart = hn::Sub(load(rows[r] + c, dim - c), here);
            sums[half][r] = hn::MulAdd(apart, apart, sums[half][r]);
        }
    };
    std::size_t c = 0;
    for (; c + kStep < dim; c += 2 * kStep) {
        add(0, c);
        add(1, c + kStep);
    }
    if (c < dim)
        add(0, c);
    for (std::size_t r = 0; r < Count; ++r)
        squared[r] = sumOfLanes(kDoubles, hn::Add(sums[0][r], sums[1][r]));
}

void squaredDistances(const float* row, const float* const* rows, std::size_t count, std::size_t dim, double* squared) {
    std::size_t r = 0;
    for (; r + kTogether <= count; r += kTogether)
        measure<kTogether>(row, rows + r, dim, squared + r);
    for (; r < count; ++r)
        measure<1>(row, rows + r, dim, squared + r);
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
namespace {
HWY_EXPORT(squaredDistances);
} // namespace

void squaredDistancesNear(const float* row, const float* const* rows, std::size_t count, std::size_t dim,
                          double* squared) {
    HWY_DYNAMIC_DISPATCH(squaredDistances)(row, rows, count, dim, squared);
}

std::int64_t ProbabilityInSteps::logarithm(double squared) {
    // Doubles have logarithms between -1074 and 1024: in steps of 2^-52 these fit with room for their differences. The
    // sum saturates long before, so that what stands for 0 need only be far below.
    constexpr double kMin = -1000.0;
    const double octaves = squared > 0.0 ? std::max(std::log2(squared), kMin) : kMin;
    return std::llround(std::min(octaves, -kMin) * static_cast<double>(kOctave));
}

double ProbabilityInSteps::probability() const {
    return isNegligible() ? 0.0 : std::exp2(-0.5 * static_cast<double>(sum_) / static_cast<double>(kOctave));
}

} // namespace assay
#endif
