#include "engine/metrics/topological/point_distances.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/metrics/topological/point_kernels.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "engine/math/products/simd-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

constexpr std::size_t kBlock = PointDistances::kBlock;
constexpr std::size_t kQueries = PointDistances::kQueries;
using Found = PointDistances::Found;

using Floats = hn::CappedTag<float, 16>;
using V = hn::Vec<Floats>;
constexpr Floats kFloats;
constexpr hn::RebindToUnsigned<Floats> kRows;
constexpr std::size_t kLanes = hn::MaxLanes(kFloats);
constexpr std::size_t kTogether = kLanes == 16 ? kQueries : 1; ///< queries that there are registers for

// Squares of coordinates are added up in 16 sums, that of coordinate c in sum c mod 16, and these in fours, and the
// fours' in pairs: the order in which 16 points at a time are quickest, followed by all, so that all find the same.
constexpr std::size_t kSums = 16;
constexpr std::size_t kFour = 4;

/// Squared distances of the points from j on from the queries from `first` on.
HWY_INLINE void measure(const PointSearch& of, std::size_t j, std::size_t first, V (&squared)[kTogether]) {
    V halves[2][kTogether]; // of two fours each
    for (std::size_t s = 0; s < kSums; s += kFour) {
        V sum[kFour][kTogether];
        for (auto& row : sum)
            for (V& x : row)
                x = hn::Zero(kFloats);
        for (std::size_t from = s; from < of.dim; from += kSums)
            for (std::size_t c = from; c < std::min(of.dim, from + kFour); ++c) {
                const V y = hn::LoadU(kFloats, of.block + c * kBlock + j);
                for (std::size_t q = 0; q < kTogether; ++q) {
                    const V apart = hn::Sub(y, hn::Set(kFloats, of.queries.points[first + q][c]));
                    sum[c - from][q] = hn::MulAdd(apart, apart, sum[c - from][q]);
                }
            }
        for (std::size_t q = 0; q < kTogether; ++q) {
            const V four = hn::Add(hn::Add(sum[0][q], sum[2][q]), hn::Add(sum[1][q], sum[3][q]));
            V& half = halves[s / (2 * kFour)][q];
            half = s % (2 * kFour) == 0 ? four : hn::Add(half, four);
        }
    }
    for (std::size_t q = 0; q < kTogether; ++q)
        squared[q] = hn::Add(halves[0][q], halves[1][q]);
}

void nearPoints(const PointSearch& of, std::span<Found, kQueries> found) {
    const V limit = hn::Set(kFloats, of.queries.limit);
    for (std::size_t j = 0; j < kBlock; j += kLanes)
        for (std::size_t first = 0; first < kQueries; first += kTogether) {
            V squared[kTogether];
            measure(of, j, first, squared);
            const auto rows = hn::Add(hn::Iota(kRows, 0), hn::Set(kRows, of.firstRow + static_cast<std::uint32_t>(j)));
            for (std::size_t q = 0; q < kTogether; ++q) {
                const auto near = hn::Le(squared[q], limit);
                Found& one = found[first + q];
                storeChosen(kFloats, squared[q], near, one.squared.data() + one.count);
                one.count += storeChosen(kRows, rows, hn::RebindMask(kRows, near), one.row.data() + one.count);
            }
        }
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
namespace {
HWY_EXPORT(nearPoints);
} // namespace

void appendNear(const PointSearch& of, std::span<PointDistances::Found, PointDistances::kQueries> found) {
    HWY_DYNAMIC_DISPATCH(nearPoints)(of, found);
}

} // namespace assay
#endif
