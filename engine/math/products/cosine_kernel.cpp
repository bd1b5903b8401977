#include "engine/math/products/cosine_kernel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace assay {
namespace {

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

struct Kernel {
    float shift; ///< a power of two that brings squared distances near 1, whatever their unit
    float scale; ///< from there to the argument of the series
    float limit; ///< on the squared distance
};

constexpr float kRounder = 0x1.8p23F; ///< added and taken off again, it leaves a whole number

/// Without fused operations, so that all processors give the same bits.
void plainKernel(const float* squared, std::size_t count, const Kernel& kernel, float* values) {
    constexpr auto kSeries = seriesOfCosine();
    for (std::size_t i = 0; i < count; ++i) {
        const float z = squared[i] * kernel.shift * kernel.scale;
        float value = kSeries[kTerms];
        for (std::size_t n = kTerms; n-- > 0;)
            value = value * z + kSeries[n];
        value = value * kKernelUnit + kRounder - kRounder;
        values[i] = squared[i] <= kernel.limit && value > 0.0F ? value : 0.0F;
    }
}

// Eight at a time in whatever registers there are.
using Doubles = double __attribute__((vector_size(64), aligned(8), may_alias));
using EightFloats = float __attribute__((vector_size(32), aligned(4), may_alias));

__attribute__((always_inline)) inline void addBody(const WeightedRows& to, std::size_t i, const std::uint32_t* rows,
                                                   const float* values, std::size_t count) {
    for (std::size_t from = 0; from < to.width; from += WeightedRows::kWeightLanes) {
        const float* weights = to.weights + from;
        const Doubles own =
            __builtin_convertvector(*reinterpret_cast<const EightFloats*>(weights + i * to.width), Doubles);
        Doubles sum = {};
        for (std::size_t h = 0; h < count; ++h) {
            const auto value = static_cast<double>(values[h]);
            const std::size_t other = rows[h] * to.width;
            sum += value * __builtin_convertvector(*reinterpret_cast<const EightFloats*>(weights + other), Doubles);
            *reinterpret_cast<Doubles*>(to.sums + other + from) += value * own;
        }
        *reinterpret_cast<Doubles*>(to.sums + i * to.width + from) += sum;
    }
}

void plainAdd(const WeightedRows& to, std::size_t i, const std::uint32_t* rows, const float* values,
              std::size_t count) {
    addBody(to, i, rows, values, count);
}

#if defined(__x86_64__)

__attribute__((target("avx512f"))) void avx512Kernel(const float* squared, std::size_t count, const Kernel& kernel,
                                                     float* values) {
    constexpr auto kSeries = seriesOfCosine();
    constexpr std::size_t kLanes = 16;
    const __m512 rounder = _mm512_set1_ps(kRounder);
    for (std::size_t i = 0; i < count; i += kLanes) {
        const auto here = static_cast<__mmask16>(count - i >= kLanes ? 0xFFFFU : (1U << (count - i)) - 1U);
        const __m512 apart = _mm512_maskz_loadu_ps(here, squared + i);
        const __m512 z =
            _mm512_mul_ps(_mm512_mul_ps(apart, _mm512_set1_ps(kernel.shift)), _mm512_set1_ps(kernel.scale));
        __m512 value = _mm512_set1_ps(kSeries[kTerms]);
        for (std::size_t n = kTerms; n-- > 0;)
            value = _mm512_add_ps(_mm512_mul_ps(value, z), _mm512_set1_ps(kSeries[n]));
        value = _mm512_mul_ps(value, _mm512_set1_ps(kKernelUnit));
        value = _mm512_sub_ps(_mm512_add_ps(value, rounder), rounder);
        const __mmask16 inside = _mm512_mask_cmp_ps_mask(_mm512_cmp_ps_mask(value, _mm512_setzero_ps(), _CMP_GT_OQ),
                                                         apart, _mm512_set1_ps(kernel.limit), _CMP_LE_OQ);
        _mm512_mask_storeu_ps(values + i, here, _mm512_maskz_mov_ps(inside, value));
    }
}

__attribute__((target("avx512f"))) void avx512Add(const WeightedRows& to, std::size_t i, const std::uint32_t* rows,
                                                  const float* values, std::size_t count) {
    addBody(to, i, rows, values, count);
}

__attribute__((target("avx2"))) void avx2Add(const WeightedRows& to, std::size_t i, const std::uint32_t* rows,
                                             const float* values, std::size_t count) {
    addBody(to, i, rows, values, count);
}

#endif

} // namespace

void cosineKernel(const float* squared, std::size_t count, float squaredBandwidth, float* values) {
    constexpr double kQuarterTurn = std::numbers::pi * std::numbers::pi / 4.0;
    constexpr int kMostShift = 126; // of numbers with all their digits
    Kernel kernel{1.0F, 0.0F, squaredBandwidth};
    if (squaredBandwidth > 0.0F) {
        const int shift = std::clamp(-std::ilogb(squaredBandwidth), -kMostShift, kMostShift);
        kernel.shift = std::ldexp(1.0F, shift);
        kernel.scale = static_cast<float>(kQuarterTurn / std::ldexp(static_cast<double>(squaredBandwidth), shift));
    }
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return avx512Kernel(squared, count, kernel, values);
#endif
    plainKernel(squared, count, kernel, values);
}

void addBothWays(const WeightedRows& to, std::size_t i, const std::uint32_t* rows, const float* values,
                 std::size_t count) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return avx512Add(to, i, rows, values, count);
    if (__builtin_cpu_supports("avx2"))
        return avx2Add(to, i, rows, values, count);
#endif
    plainAdd(to, i, rows, values, count);
}

} // namespace assay
