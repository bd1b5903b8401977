#include "engine/neighbors/pairs/distance_product_kernels.h"

#include <algorithm>
#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace assay {
namespace {

// Eight at a time by hand, in whatever registers there are.
using Eight = double __attribute__((vector_size(64)));
using EightFloats = float __attribute__((vector_size(32), aligned(4), may_alias));
constexpr std::size_t kEight = 8;
constexpr std::size_t kTogether = 4; // rows that share the conversion of the one they are measured from

__attribute__((always_inline)) inline void convert(const float* from, Eight& to) {
    to = __builtin_convertvector(*reinterpret_cast<const EightFloats*>(from), Eight);
}

template <std::size_t Count>
__attribute__((always_inline)) inline void measure(const float* row, const float* const* rows, std::size_t dim,
                                                   double* squared) {
    Eight sums[Count][2] = {};
    std::size_t c = 0;
    for (; c + 2 * kEight <= dim; c += 2 * kEight)
        for (std::size_t half = 0; half < 2; ++half) {
            Eight here;
            convert(row + c + half * kEight, here);
            for (std::size_t r = 0; r < Count; ++r) {
                Eight apart;
                convert(rows[r] + c + half * kEight, apart);
                apart -= here;
                sums[r][half] += apart * apart;
            }
        }
    for (std::size_t r = 0; r < Count; ++r) {
        const Eight both = sums[r][0] + sums[r][1];
        double sum = ((both[0] + both[1]) + (both[2] + both[3])) + ((both[4] + both[5]) + (both[6] + both[7]));
        for (std::size_t rest = c; rest < dim; ++rest) {
            const double apart = static_cast<double>(rows[r][rest]) - static_cast<double>(row[rest]);
            sum += apart * apart;
        }
        squared[r] = sum;
    }
}

__attribute__((always_inline)) inline void measureAll(const float* row, const float* const* rows, std::size_t count,
                                                      std::size_t dim, double* squared) {
    std::size_t r = 0;
    for (; r + kTogether <= count; r += kTogether)
        measure<kTogether>(row, rows + r, dim, squared + r);
    for (; r + 2 <= count; r += 2)
        measure<2>(row, rows + r, dim, squared + r);
    for (; r < count; ++r)
        measure<1>(row, rows + r, dim, squared + r);
}

void plainDistances(const float* row, const float* const* rows, std::size_t count, std::size_t dim, double* squared) {
    measureAll(row, rows, count, dim, squared);
}

#if defined(__x86_64__)

__attribute__((target("avx2,fma"))) void avx2Distances(const float* row, const float* const* rows, std::size_t count,
                                                       std::size_t dim, double* squared) {
    measureAll(row, rows, count, dim, squared);
}

// What `measure` does, with the processor's own conversion: the compiler takes a vector of eight apart for it.
__attribute__((target("avx512f"), always_inline)) inline __m512d eightOf(const float* from) {
    return _mm512_maskz_cvtps_pd(0xFF, _mm256_loadu_ps(from)); // without a mask this compiler warns of its own header
}

template <std::size_t Count>
__attribute__((target("avx512f"), always_inline)) inline void avx512Measure(const float* row, const float* const* rows,
                                                                            std::size_t dim, double* squared) {
    __m512d sums[Count][2];
    for (auto& sum : sums)
        sum[0] = sum[1] = _mm512_setzero_pd();
    std::size_t c = 0;
    for (; c + 2 * kEight <= dim; c += 2 * kEight)
#pragma GCC unroll 2
        for (std::size_t half = 0; half < 2; ++half) {
            const __m512d here = eightOf(row + c + half * kEight);
#pragma GCC unroll 4
            for (std::size_t r = 0; r < Count; ++r) {
                const __m512d apart = _mm512_sub_pd(eightOf(rows[r] + c + half * kEight), here);
                sums[r][half] = _mm512_fmadd_pd(apart, apart, sums[r][half]);
            }
        }
#pragma GCC unroll 4
    for (std::size_t r = 0; r < Count; ++r) {
        alignas(64) double lanes[kEight];
        _mm512_store_pd(lanes, _mm512_add_pd(sums[r][0], sums[r][1]));
        double sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
        for (std::size_t rest = c; rest < dim; ++rest) {
            const double apart = static_cast<double>(rows[r][rest]) - static_cast<double>(row[rest]);
            sum += apart * apart;
        }
        squared[r] = sum;
    }
}

__attribute__((target("avx512f"))) void avx512Distances(const float* row, const float* const* rows, std::size_t count,
                                                        std::size_t dim, double* squared) {
    std::size_t r = 0;
    for (; r + kTogether <= count; r += kTogether)
        avx512Measure<kTogether>(row, rows + r, dim, squared + r);
    for (; r + 2 <= count; r += 2)
        avx512Measure<2>(row, rows + r, dim, squared + r);
    for (; r < count; ++r)
        avx512Measure<1>(row, rows + r, dim, squared + r);
}

#endif

} // namespace

void squaredDistancesNear(const float* row, const float* const* rows, std::size_t count, std::size_t dim,
                          double* squared) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return avx512Distances(row, rows, count, dim, squared);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return avx2Distances(row, rows, count, dim, squared);
#endif
    plainDistances(row, rows, count, dim, squared);
}

std::int64_t ProductInSteps::logarithm(double squared) {
    // Doubles have logarithms between -1074 and 1024: in steps of 2^-52 these fit with room for their differences. The
    // sum saturates long before, so that what stands for 0 need only be far below.
    constexpr double kLeast = -1000.0;
    const double octaves = squared > 0.0 ? std::max(std::log2(squared), kLeast) : kLeast;
    return std::llround(std::min(octaves, -kLeast) * static_cast<double>(kOctave));
}

double ProductInSteps::root() const {
    return isNegligible() ? 0.0 : std::exp2(-0.5 * static_cast<double>(sum_) / static_cast<double>(kOctave));
}

} // namespace assay
