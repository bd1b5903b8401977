#include "engine/stats/point_distances.h"

#include <bit>
#include <limits>
#include <numbers>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace assay {
namespace {

constexpr std::size_t kBlock = PointDistances::kBlock;
constexpr std::size_t kQueries = PointDistances::kQueries;
using Found = PointDistances::Found;

struct Search {
    const float* block; ///< dim x kBlock
    const float* const (&queries)[kQueries];
    std::size_t dim;
    std::uint32_t firstRow;
    float limit;
};

void plainNear(const Search& of, std::array<Found, kQueries>& found) {
    std::array<float, kBlock> squared{};
    for (std::size_t q = 0; q < kQueries; ++q) {
        squared.fill(0.0F);
        for (std::size_t c = 0; c < of.dim; ++c)
            for (std::size_t j = 0; j < kBlock; ++j) {
                const float apart = of.block[c * kBlock + j] - of.queries[q][c];
                squared[j] += apart * apart;
            }
        std::size_t count = 0;
        for (std::size_t j = 0; j < kBlock; ++j) {
            found[q].row[count] = of.firstRow + static_cast<std::uint32_t>(j);
            found[q].squared[count] = squared[j];
            count += squared[j] <= of.limit ? 1U : 0U;
        }
        found[q].count = count;
    }
}

/// The series of cos(sqrt(z)) = 1 - z/2! + z^2/4! - .., whose last term is below 2^-48 for z up to (pi/2)^2.
constexpr std::size_t kTerms = 10;
constexpr std::array<double, kTerms + 1> seriesOfCosine() {
    std::array<double, kTerms + 1> terms{1.0};
    for (std::size_t n = 1; n <= kTerms; ++n)
        terms[n] = -terms[n - 1] / static_cast<double>((2 * n - 1) * (2 * n));
    return terms;
}

/// Added and taken off again, it leaves a whole number of what was below 2^51.
constexpr double kRounder = 0x1.8p52;

struct Kernel {
    double scale; ///< from a squared distance to the argument of the series
    float limit;  ///< on the squared distance
    double unit;
};

void plainKernel(const float* squared, std::size_t count, const Kernel& kernel, double* values) {
    constexpr auto kSeries = seriesOfCosine();
    for (std::size_t i = 0; i < count; ++i) {
        const double z = static_cast<double>(squared[i]) * kernel.scale;
        double value = kSeries[kTerms];
        for (std::size_t n = kTerms; n-- > 0;)
            value = value * z + kSeries[n];
        values[i] = squared[i] <= kernel.limit ? value * kernel.unit + kRounder - kRounder : 0.0;
    }
}

// Eight at a time in whatever registers there are.
using Eight = double __attribute__((vector_size(64), aligned(8), may_alias));

__attribute__((always_inline)) inline void addBody(const WeightedRows& to, std::size_t i, const std::uint32_t* rows,
                                                   const double* values, std::size_t count) {
    for (std::size_t from = 0; from < to.width; from += WeightedRows::kWeightLanes) {
        const Eight own = *reinterpret_cast<const Eight*>(to.weights + i * to.width + from);
        Eight sum = {};
        for (std::size_t h = 0; h < count; ++h) {
            const std::size_t other = rows[h] * to.width + from;
            sum += values[h] * *reinterpret_cast<const Eight*>(to.weights + other);
            *reinterpret_cast<Eight*>(to.sums + other) += values[h] * own;
        }
        *reinterpret_cast<Eight*>(to.sums + i * to.width + from) += sum;
    }
}

void plainAdd(const WeightedRows& to, std::size_t i, const std::uint32_t* rows, const double* values,
              std::size_t count) {
    addBody(to, i, rows, values, count);
}

#if defined(__x86_64__)

__attribute__((target("avx512f,popcnt"))) void avx512Near(const Search& of, std::array<Found, kQueries>& found) {
    constexpr std::size_t kLanes = 16;
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512 limit = _mm512_set1_ps(of.limit);
    for (Found& one : found)
        one.count = 0;
    // Two vectors of points at once: as many sums as it takes to keep the adders busy.
    for (std::size_t j = 0; j < kBlock; j += 2 * kLanes) {
        __m512 sum[2][kQueries];
        for (auto& row : sum)
            for (__m512& x : row)
                x = _mm512_setzero_ps();
        for (std::size_t c = 0; c < of.dim; ++c) {
            const __m512 y0 = _mm512_loadu_ps(of.block + c * kBlock + j);
            const __m512 y1 = _mm512_loadu_ps(of.block + c * kBlock + j + kLanes);
#pragma GCC unroll 4
            for (std::size_t q = 0; q < kQueries; ++q) {
                const __m512 x = _mm512_set1_ps(of.queries[q][c]);
                const __m512 apart0 = _mm512_sub_ps(y0, x);
                const __m512 apart1 = _mm512_sub_ps(y1, x);
                sum[0][q] = _mm512_fmadd_ps(apart0, apart0, sum[0][q]);
                sum[1][q] = _mm512_fmadd_ps(apart1, apart1, sum[1][q]);
            }
        }
        for (std::size_t half = 0; half < 2; ++half) {
            const auto first = of.firstRow + static_cast<std::uint32_t>(j + half * kLanes);
            const __m512i rows = _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(first)), lanes);
            for (std::size_t q = 0; q < kQueries; ++q) {
                const __mmask16 near = _mm512_cmp_ps_mask(sum[half][q], limit, _CMP_LE_OQ);
                Found& one = found[q];
                _mm512_storeu_ps(one.squared.data() + one.count, _mm512_maskz_compress_ps(near, sum[half][q]));
                _mm512_storeu_si512(one.row.data() + one.count, _mm512_maskz_compress_epi32(near, rows));
                one.count += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(near)));
            }
        }
    }
}

__attribute__((target("avx512f"))) void avx512Kernel(const float* squared, std::size_t count, const Kernel& kernel,
                                                     double* values) {
    constexpr auto kSeries = seriesOfCosine();
    constexpr std::size_t kLanes = 8;
    const __m512d factor = _mm512_set1_pd(kernel.scale);
    const __m512d rounder = _mm512_set1_pd(kRounder);
    const __m512 limit = _mm512_set1_ps(kernel.limit);
    for (std::size_t i = 0; i < count; i += kLanes) {
        const auto here = static_cast<__mmask8>(count - i >= kLanes ? 0xFFU : (1U << (count - i)) - 1U);
        const __m512 loaded = _mm512_maskz_loadu_ps(static_cast<__mmask16>(here), squared + i);
        const auto inside = static_cast<__mmask8>(_mm512_cmp_ps_mask(loaded, limit, _CMP_LE_OQ));
        const __m512d z = _mm512_mul_pd(_mm512_cvtps_pd(_mm512_castps512_ps256(loaded)), factor);
        __m512d value = _mm512_set1_pd(kSeries[kTerms]);
        for (std::size_t n = kTerms; n-- > 0;)
            value = _mm512_fmadd_pd(value, z, _mm512_set1_pd(kSeries[n]));
        value = _mm512_sub_pd(_mm512_fmadd_pd(value, _mm512_set1_pd(kernel.unit), rounder), rounder);
        _mm512_mask_storeu_pd(values + i, here, _mm512_maskz_mov_pd(inside, value));
    }
}

__attribute__((target("avx512f"))) void avx512Add(const WeightedRows& to, std::size_t i, const std::uint32_t* rows,
                                                  const double* values, std::size_t count) {
    addBody(to, i, rows, values, count);
}

__attribute__((target("avx2"))) void avx2Add(const WeightedRows& to, std::size_t i, const std::uint32_t* rows,
                                             const double* values, std::size_t count) {
    addBody(to, i, rows, values, count);
}

__attribute__((target("avx2,fma"))) void avx2Near(const Search& of, std::array<Found, kQueries>& found) {
    constexpr std::size_t kLanes = 8;
    std::array<float, kBlock> squared{};
    for (std::size_t q = 0; q < kQueries; ++q) {
        for (std::size_t j = 0; j < kBlock; j += 4 * kLanes) {
            __m256 sum[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps()};
            for (std::size_t c = 0; c < of.dim; ++c) {
                const __m256 x = _mm256_set1_ps(of.queries[q][c]);
                for (std::size_t v = 0; v < 4; ++v) {
                    const __m256 apart = _mm256_sub_ps(_mm256_loadu_ps(of.block + c * kBlock + j + v * kLanes), x);
                    sum[v] = _mm256_fmadd_ps(apart, apart, sum[v]);
                }
            }
            for (std::size_t v = 0; v < 4; ++v)
                _mm256_storeu_ps(squared.data() + j + v * kLanes, sum[v]);
        }
        std::size_t count = 0;
        for (std::size_t j = 0; j < kBlock; ++j) {
            found[q].row[count] = of.firstRow + static_cast<std::uint32_t>(j);
            found[q].squared[count] = squared[j];
            count += squared[j] <= of.limit ? 1U : 0U;
        }
        found[q].count = count;
    }
}

#endif

} // namespace

PointDistances::PointDistances(const std::vector<float>& points, std::size_t rows, std::size_t dim)
    : rows_(rows), dim_(dim),
      values_((rows + kBlock - 1) / kBlock * kBlock * dim, std::numeric_limits<float>::quiet_NaN()) {
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < dim; ++c)
            values_[(r / kBlock * dim + c) * kBlock + r % kBlock] = points[r * dim + c];
}

void PointDistances::near(const float* const (&queries)[kQueries], std::size_t block, float limit,
                          std::array<Found, kQueries>& found) const {
    const Search search{values_.data() + block * dim_ * kBlock, queries, dim_,
                        static_cast<std::uint32_t>(block * kBlock), limit};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return avx512Near(search, found);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return avx2Near(search, found);
#endif
    plainNear(search, found);
}

void cosineKernel(const float* squared, std::size_t count, float squaredBandwidth, double unit, double* values) {
    constexpr double kQuarterTurn = std::numbers::pi * std::numbers::pi / 4.0;
    const Kernel kernel{squaredBandwidth > 0.0F ? kQuarterTurn / static_cast<double>(squaredBandwidth) : 0.0,
                        squaredBandwidth, unit};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return avx512Kernel(squared, count, kernel, values);
#endif
    plainKernel(squared, count, kernel, values);
}

void addBothWays(const WeightedRows& to, std::size_t i, const std::uint32_t* rows, const double* values,
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
