#include "engine/neighbors/tree/leaf_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/neighbors/tree/leaf_kernels.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "engine/math/products/simd-inl.h"

#include <algorithm>
#include <bit>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

using Floats = hn::CappedTag<float, 16>;
using V = hn::Vec<Floats>;
constexpr Floats kFloats;
constexpr std::size_t kWidth = hn::MaxLanes(kFloats);
constexpr std::size_t kVectors = 4; ///< sums in flight: enough to hide the latency of an addition
constexpr std::size_t kGroup = kVectors * kWidth;
constexpr std::size_t kMaxAtOnce = 16; ///< values that any instruction set reads at once
/// Dimensions after which it pays to look whether any point is still near enough.
constexpr std::size_t kLookEvery = 8;

HWY_INLINE std::uint64_t bitsAtMost(const V (&sum)[kVectors], const V (&limit)[kVectors]) {
    std::uint64_t bits = 0;
    for (std::size_t v = 0; v < kVectors; ++v)
        bits |= std::uint64_t{bitsOf(kFloats, hn::Le(sum[v], limit[v]))} << (v * kWidth);
    return bits;
}

std::uint64_t pointsNearBox(const float* block, std::size_t dim, const float* low, const float* high,
                            const float* limit) {
    std::uint64_t all = 0;
    for (std::size_t first = 0; first < kBlockPoints; first += kGroup) {
        V sum[kVectors];
        V bound[kVectors];
        for (std::size_t v = 0; v < kVectors; ++v) {
            sum[v] = hn::Zero(kFloats);
            bound[v] = hn::LoadU(kFloats, limit + first + v * kWidth);
        }
        std::uint64_t near = 0;
        for (std::size_t c = 0; c < dim;) {
            for (const std::size_t look = std::min(c + kLookEvery, dim); c < look; ++c)
                for (std::size_t v = 0; v < kVectors; ++v) {
                    const V x = hn::LoadU(kFloats, block + c * kBlockPoints + first + v * kWidth);
                    const V below = hn::Sub(hn::Set(kFloats, low[c]), x);
                    const V above = hn::Sub(x, hn::Set(kFloats, high[c]));
                    const V outside = hn::Max(hn::Max(below, above), hn::Zero(kFloats));
                    sum[v] = hn::MulAdd(outside, outside, sum[v]);
                }
            near = bitsAtMost(sum, bound);
            if (near == 0)
                break;
        }
        all |= near << first;
    }
    return all;
}

/// Two queries, which share the loads of points and hide each other's latency.
struct TwoQueries {
    const float* first[2]; ///< coordinates, kBlockPoints apart
    float limit[2];
};

/// Squared distances of kGroup points from two queries, and which are within the query's limit, as bits.
struct GroupDistances {
    alignas(64) float squared[2][kGroup]; ///< not set where no point is near
    std::uint64_t near[2];
};

HWY_INLINE void measureGroup(const float* points, std::size_t dim, const TwoQueries& queries, GroupDistances& found) {
    V sum0[kVectors];
    V sum1[kVectors];
    V bound0[kVectors];
    V bound1[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
        sum0[v] = sum1[v] = hn::Zero(kFloats);
        bound0[v] = hn::Set(kFloats, queries.limit[0]);
        bound1[v] = hn::Set(kFloats, queries.limit[1]);
    }
    found.near[0] = found.near[1] = 0;
    for (std::size_t c = 0; c < dim;) {
        for (const std::size_t look = std::min(c + kLookEvery, dim); c < look; ++c) {
            const V x0 = hn::Set(kFloats, queries.first[0][c * kBlockPoints]);
            const V x1 = hn::Set(kFloats, queries.first[1][c * kBlockPoints]);
            for (std::size_t v = 0; v < kVectors; ++v) {
                const V p = hn::LoadU(kFloats, points + c * kBlockPoints + v * kWidth);
                const V apart0 = hn::Sub(p, x0);
                const V apart1 = hn::Sub(p, x1);
                sum0[v] = hn::MulAdd(apart0, apart0, sum0[v]);
                sum1[v] = hn::MulAdd(apart1, apart1, sum1[v]);
            }
        }
        found.near[0] = bitsAtMost(sum0, bound0);
        found.near[1] = bitsAtMost(sum1, bound1);
        if ((found.near[0] | found.near[1]) == 0)
            return;
    }
    for (std::size_t v = 0; v < kVectors; ++v) {
        hn::Store(sum0[v], kFloats, found.squared[0] + v * kWidth);
        hn::Store(sum1[v], kFloats, found.squared[1] + v * kWidth);
    }
}

/// Adds the points of a group, which begins at the block's point `first`, to a query's hits.
HWY_INLINE void append(const GroupDistances& found, std::size_t i, std::size_t first, PointHits& hits, unsigned query) {
    for (std::uint64_t near = found.near[i]; near != 0; near &= near - 1) {
        const auto p = static_cast<unsigned>(std::countr_zero(near));
        const std::uint8_t at = hits.count[query]++;
        hits.squared[query][at] = found.squared[i][p];
        hits.position[query][at] = static_cast<std::uint8_t>(first + p);
    }
}

void pointsNearPoints(const float* points, std::size_t dim, const BlockQueries& queries, PointHits& hits) {
    auto [block, which, limits] = queries;
    while (which != 0) {
        const auto q0 = static_cast<unsigned>(std::countr_zero(which));
        which &= which - 1;
        const bool two = which != 0;
        const auto q1 = two ? static_cast<unsigned>(std::countr_zero(which)) : q0;
        which &= two ? which - 1 : 0;
        const TwoQueries both{{block + q0, block + q1}, {limits[q0], two ? limits[q1] : -1.0F}};
        hits.count[q0] = hits.count[q1] = 0;
        for (std::size_t first = 0; first < kBlockPoints; first += kGroup) {
            GroupDistances found;
            measureGroup(points + first, dim, both, found);
            append(found, 0, first, hits, q0);
            append(found, 1, first, hits, q1);
        }
    }
}

float boxDistance(const float* lowA, const float* highA, const float* lowB, const float* highB, std::size_t padded) {
    V sum = hn::Zero(kFloats);
    for (std::size_t c = 0; c < padded; c += kWidth) {
        const V before = hn::Sub(hn::LoadU(kFloats, lowB + c), hn::LoadU(kFloats, highA + c));
        const V behind = hn::Sub(hn::LoadU(kFloats, lowA + c), hn::LoadU(kFloats, highB + c));
        const V apart = hn::Max(hn::Max(before, behind), hn::Zero(kFloats));
        sum = hn::MulAdd(apart, apart, sum);
    }
    return sumOfLanes(kFloats, sum);
}

HWY_INLINE std::size_t countAtMost(const float* values, std::size_t padded, float bound) {
    const V limit = hn::Set(kFloats, bound);
    std::size_t below = 0;
    for (std::size_t i = 0; i < padded; i += kWidth)
        below += hn::CountTrue(kFloats, hn::Le(hn::LoadU(kFloats, values + i), limit));
    return below;
}

/// The largest value that is at most `bound`; 0 where there is none.
HWY_INLINE float largestAtMost(const float* values, std::size_t padded, float bound) {
    const V limit = hn::Set(kFloats, bound);
    V most = hn::Zero(kFloats);
    for (std::size_t i = 0; i < padded; i += kWidth) {
        const V value = hn::LoadU(kFloats, values + i);
        most = hn::IfThenElse(hn::Le(value, limit), hn::Max(most, value), most);
    }
    return hn::GetLane(hn::MaxOfLanes(kFloats, most));
}

/// Bisection over the bit patterns, which are ordered like the values they stand for.
float smallest(float* values, std::size_t count, std::size_t rank) {
    constexpr std::uint32_t kFourExponents = 4U << 23;
    const std::size_t padded = (count + kMaxAtOnce - 1) / kMaxAtOnce * kMaxAtOnce;
    std::fill(values + count, values + padded, std::numeric_limits<float>::quiet_NaN());
    std::uint32_t low = 0;
    auto high = std::bit_cast<std::uint32_t>(largestAtMost(values, padded, std::numeric_limits<float>::infinity()));
    // Most lists span less than a factor of 16.
    if (const std::uint32_t sixteenth = high > kFourExponents ? high - kFourExponents : 0;
        countAtMost(values, padded, std::bit_cast<float>(sixteenth)) < rank)
        low = sixteenth + 1;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        const auto bound = std::bit_cast<float>(middle);
        const std::size_t below = countAtMost(values, padded, bound);
        if (below == rank)
            return largestAtMost(values, padded, bound);
        if (below > rank)
            high = middle;
        else
            low = middle + 1;
    }
    return std::bit_cast<float>(low);
}

const LeafKernels& table() {
    static constexpr LeafKernels kTable{pointsNearBox, pointsNearPoints, boxDistance, smallest};
    return kTable;
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
namespace {
HWY_EXPORT(table);
} // namespace

const LeafKernels& leafKernels() {
    return HWY_DYNAMIC_DISPATCH(table)();
}

} // namespace assay
#endif
