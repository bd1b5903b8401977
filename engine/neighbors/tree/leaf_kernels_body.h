#pragma once
// The loops of engine/neighbors/tree/leaf_kernels.h, written once over a vector type and compiled once per instruction
// set. No standard library code here: its inline functions would be emitted for that instruction set, too, and might be
// the copies that the linker keeps.
#include "engine/neighbors/tree/leaf_kernels.h"

namespace assay::leaf_kernels {
namespace { // each instruction set has its own copy

/// Simd: V, kWidth, and the operations used below, on kWidth floats.
template <class Simd>
struct Body {
    using V = typename Simd::V;
    static constexpr std::size_t kWidth = Simd::kWidth;
    static constexpr std::size_t kVectors = 4; ///< sums in flight: enough to hide the latency of an addition
    static constexpr std::size_t kGroup = kVectors * kWidth;
    /// Dimensions after which it pays to look whether any point is still near enough.
    static constexpr std::size_t kLookEvery = 8;
    static constexpr std::uint32_t kFourExponents = 4U << 23;

    static std::uint64_t maskAtMost(const V sum[kVectors], const V limit[kVectors]) {
        std::uint64_t mask = 0;
        for (std::size_t v = 0; v < kVectors; ++v)
            mask |= static_cast<std::uint64_t>(Simd::atMost(sum[v], limit[v])) << (v * kWidth);
        return mask;
    }

    static std::uint64_t pointsNearBox(const float* block, std::size_t dim, const float* low, const float* high,
                                       const float* limit) {
        std::uint64_t all = 0;
        for (std::size_t first = 0; first < kBlockPoints; first += kGroup) {
            V sum[kVectors];
            V bound[kVectors];
            for (std::size_t v = 0; v < kVectors; ++v) {
                sum[v] = Simd::broadcast(0.0F);
                bound[v] = Simd::load(limit + first + v * kWidth);
            }
            std::uint64_t mask = 0;
            for (std::size_t c = 0; c < dim;) {
                for (const std::size_t look = c + kLookEvery < dim ? c + kLookEvery : dim; c < look; ++c)
                    for (std::size_t v = 0; v < kVectors; ++v) {
                        const V x = Simd::load(block + c * kBlockPoints + first + v * kWidth);
                        const V below = Simd::subtract(Simd::broadcast(low[c]), x);
                        const V above = Simd::subtract(x, Simd::broadcast(high[c]));
                        const V outside = Simd::larger(Simd::larger(below, above), Simd::broadcast(0.0F));
                        sum[v] = Simd::addSquare(sum[v], outside);
                    }
                mask = maskAtMost(sum, bound);
                if (mask == 0)
                    break;
            }
            all |= mask << first;
        }
        return all;
    }

    /// Squared distances of kGroup points from two queries, which share the loads and hide each other's latency.
    /// Stored only where one of them is within its limit; `mask` then says which.
    static void measureGroup(const float* points, std::size_t dim, const float* const query[2], const float limit[2],
                             float near[2][kGroup], std::uint64_t mask[2]) {
        V sum0[kVectors];
        V sum1[kVectors];
        V bound0[kVectors];
        V bound1[kVectors];
        for (std::size_t v = 0; v < kVectors; ++v) {
            sum0[v] = sum1[v] = Simd::broadcast(0.0F);
            bound0[v] = Simd::broadcast(limit[0]);
            bound1[v] = Simd::broadcast(limit[1]);
        }
        mask[0] = mask[1] = 0;
        for (std::size_t c = 0; c < dim;) {
            for (const std::size_t look = c + kLookEvery < dim ? c + kLookEvery : dim; c < look; ++c) {
                const V x0 = Simd::broadcast(query[0][c * kBlockPoints]);
                const V x1 = Simd::broadcast(query[1][c * kBlockPoints]);
                for (std::size_t v = 0; v < kVectors; ++v) {
                    const V p = Simd::load(points + c * kBlockPoints + v * kWidth);
                    sum0[v] = Simd::addSquare(sum0[v], Simd::subtract(p, x0));
                    sum1[v] = Simd::addSquare(sum1[v], Simd::subtract(p, x1));
                }
            }
            mask[0] = maskAtMost(sum0, bound0);
            mask[1] = maskAtMost(sum1, bound1);
            if ((mask[0] | mask[1]) == 0)
                return;
        }
        for (std::size_t v = 0; v < kVectors; ++v) {
            Simd::store(near[0] + v * kWidth, sum0[v]);
            Simd::store(near[1] + v * kWidth, sum1[v]);
        }
    }

    static void pointsNearPoints(const float* points, const float* queries, std::size_t dim, std::uint64_t which,
                                 const float* limits, PointHits& hits) {
        while (which != 0) {
            const auto q0 = static_cast<unsigned>(__builtin_ctzll(which));
            which &= which - 1;
            const bool two = which != 0;
            const auto q1 = two ? static_cast<unsigned>(__builtin_ctzll(which)) : q0;
            which &= two ? which - 1 : 0;
            const unsigned of[2] = {q0, q1};
            const float* const query[2] = {queries + q0, queries + q1};
            const float limit[2] = {limits[q0], two ? limits[q1] : -1.0F};
            hits.count[q0] = hits.count[q1] = 0;
            for (std::size_t first = 0; first < kBlockPoints; first += kGroup) {
                alignas(64) float near[2][kGroup];
                std::uint64_t mask[2];
                measureGroup(points + first, dim, query, limit, near, mask);
                for (std::size_t i = 0; i < 2; ++i)
                    append(mask[i], near[i], first, hits.squared[of[i]], hits.position[of[i]], hits.count[of[i]]);
            }
        }
    }

    static void append(std::uint64_t mask, const float* near, std::size_t first, float* squared, std::uint8_t* position,
                       std::uint8_t& count) {
        for (; mask != 0; mask &= mask - 1) {
            const auto p = static_cast<unsigned>(__builtin_ctzll(mask));
            squared[count] = near[p];
            position[count++] = static_cast<std::uint8_t>(first + p);
        }
    }

    static float boxDistance(const float* lowA, const float* highA, const float* lowB, const float* highB,
                             std::size_t padded) {
        V sum = Simd::broadcast(0.0F);
        for (std::size_t c = 0; c < padded; c += kWidth) {
            const V before = Simd::subtract(Simd::load(lowB + c), Simd::load(highA + c));
            const V behind = Simd::subtract(Simd::load(lowA + c), Simd::load(highB + c));
            sum = Simd::addSquare(sum, Simd::larger(Simd::larger(before, behind), Simd::broadcast(0.0F)));
        }
        alignas(64) float part[kWidth];
        Simd::store(part, sum);
        for (std::size_t half = kWidth / 2; half > 0; half /= 2)
            for (std::size_t l = 0; l < half; ++l)
                part[l] += part[l + half];
        return part[0];
    }

    static std::size_t countAtMost(const float* values, std::size_t padded, float bound) {
        const V limit = Simd::broadcast(bound);
        std::size_t below = 0;
        for (std::size_t i = 0; i < padded; i += kWidth)
            below += static_cast<unsigned>(__builtin_popcount(Simd::atMost(Simd::load(values + i), limit)));
        return below;
    }

    /// The largest value that is at most `bound`; 0 where there is none.
    static float largestAtMost(const float* values, std::size_t padded, float bound) {
        V most = Simd::broadcast(0.0F);
        for (std::size_t i = 0; i < padded; i += kWidth)
            most = Simd::largerUpTo(most, Simd::load(values + i), Simd::broadcast(bound));
        alignas(64) float part[kWidth];
        Simd::store(part, most);
        for (std::size_t half = kWidth / 2; half > 0; half /= 2)
            for (std::size_t l = 0; l < half; ++l)
                part[l] = part[l] > part[l + half] ? part[l] : part[l + half];
        return part[0];
    }

    /// Bisection over the bit patterns, which are ordered like the values they stand for.
    static float smallest(float* values, std::size_t count, std::size_t rank) {
        const std::size_t padded = (count + 15) / 16 * 16;
        for (std::size_t i = count; i < padded; ++i)
            values[i] = __builtin_nanf("");
        std::uint32_t low = 0;
        std::uint32_t high = __builtin_bit_cast(std::uint32_t, largestAtMost(values, padded, __builtin_inff()));
        // Most lists span less than a factor of 16.
        if (const std::uint32_t sixteenth = high > kFourExponents ? high - kFourExponents : 0;
            countAtMost(values, padded, __builtin_bit_cast(float, sixteenth)) < rank)
            low = sixteenth + 1;
        while (low < high) {
            const std::uint32_t middle = low + (high - low) / 2;
            const auto bound = __builtin_bit_cast(float, middle);
            const std::size_t below = countAtMost(values, padded, bound);
            if (below == rank)
                return largestAtMost(values, padded, bound);
            if (below > rank)
                high = middle;
            else
                low = middle + 1;
        }
        return __builtin_bit_cast(float, low);
    }

    static constexpr LeafKernels table(const char* name) {
        return {pointsNearBox, pointsNearPoints, boxDistance, smallest, name};
    }
};

} // namespace
} // namespace assay::leaf_kernels
