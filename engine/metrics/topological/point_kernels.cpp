#include "engine/metrics/topological/point_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/metrics/topological/point_kernels.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "engine/math/products/simd-inl.h"

#include <algorithm>
#include <bit>
#include <cstring>

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

#if HWY_TARGET == HWY_AVX3

/// The sum of 16 lanes in the order of `measure`.
HWY_INLINE float sumOfSquares(V lanes) {
    const V twos = hn::Add(lanes, hn::Shuffle1032(lanes));
    const V fours = hn::Add(twos, hn::Shuffle2301(twos));
    const V halves = hn::Add(fours, hn::SwapAdjacentBlocks(fours));
    const hn::Half<Floats> half;
    return hn::GetLane(hn::Add(hn::LowerHalf(half, halves), hn::UpperHalf(half, halves)));
}

void nearMarkedPoints(const PointSearch& of, const PointMasks& marked, std::span<Found, kQueries> found) {
    for (std::size_t q = 0; q < kQueries; ++q) {
        const float* query = of.queries.padded[q];
        float* squared = found[q].squared.data();
        std::uint32_t* row = found[q].row.data();
        std::size_t count = found[q].count;
        for (std::size_t word = 0; word < marked[q].size(); ++word)
            for (std::uint64_t left = marked[q][word]; left != 0; left &= left - 1) {
                const std::size_t place = 64 * word + static_cast<std::size_t>(std::countr_zero(left));
                const float* point = of.lines + place * of.padded;
                V sum = hn::Zero(kFloats); // what a point has behind its last coordinate adds nothing
                for (std::size_t c = 0; c < of.padded; c += kLanes) {
                    const V apart = hn::Sub(hn::Load(kFloats, point + c), hn::Load(kFloats, query + c));
                    sum = hn::MulAdd(apart, apart, sum);
                }
                squared[count] = sumOfSquares(sum);
                row[count] = of.firstRow + static_cast<std::uint32_t>(place);
                count += squared[count] <= of.queries.limit ? 1 : 0;
            }
        found[q].count = count;
    }
}

// An instruction of AVX-512 VNNI, for which Highway 1.0.3 has no operation. RESULTS.md says what marking gains.
[[gnu::target(HWY_TARGET_STR ",avx512vnni")]] std::size_t
markByVnni(const RoundedBlock& of, const std::array<RoundedPoints::Query, kQueries>& queries, PointMasks& marked) {
    constexpr hn::RebindToSigned<Floats> kIntegers;
    constexpr std::size_t kGroup = 4;   // coordinates that the instruction multiplies and adds
    constexpr std::size_t kVectors = 4; // as many as a word of the mask has bits for
    std::int32_t steps[RoundedPoints::kMostDims / kGroup][kQueries];
    for (std::size_t g = 0; g < of.groups; ++g)
        for (std::size_t q = 0; q < kQueries; ++q)
            std::memcpy(&steps[g][q], queries[q].steps.data() + g * kGroup, kGroup);
    std::size_t marks = 0;
    for (std::size_t j = 0; j < kBlock; j += kVectors * kLanes) {
        hn::Vec<decltype(kIntegers)> sum[kQueries][kVectors];
        for (auto& row : sum)
            for (std::size_t v = 0; v < kVectors; ++v)
                row[v] = hn::LoadU(kIntegers, of.start + j + v * kLanes);
        for (std::size_t g = 0; g < of.groups; ++g) {
            constexpr hn::ScalableTag<std::uint8_t> kBytes;
            const std::uint8_t* from = of.bytes + (g * kBlock + j) * kGroup;
            hn::Vec<decltype(kBytes)> y[kVectors];
            for (std::size_t v = 0; v < kVectors; ++v)
                y[v] = hn::LoadU(kBytes, from + v * kLanes * kGroup);
#pragma GCC unroll 4
            for (std::size_t q = 0; q < kQueries; ++q) {
                const auto x = hn::Set(kIntegers, steps[g][q]);
#pragma GCC unroll 4
                for (std::size_t v = 0; v < kVectors; ++v)
                    sum[q][v].raw = _mm512_dpbusd_epi32(sum[q][v].raw, y[v].raw, x.raw);
            }
        }
        for (std::size_t q = 0; q < kQueries; ++q) {
            const auto least = hn::Set(kIntegers, queries[q].least);
            std::uint64_t word = 0;
            for (std::size_t v = 0; v < kVectors; ++v)
                word |= std::uint64_t{bitsOf(kIntegers, hn::Not(hn::Lt(sum[q][v], least)))} << (v * kLanes);
            marked[q][j / (kVectors * kLanes)] = word;
            marks += static_cast<std::size_t>(std::popcount(word));
        }
    }
    return marks;
}

MarkKernel chooseMark() {
    return __builtin_cpu_supports("avx512vnni") ? markByVnni : nullptr;
}

#else

void nearMarkedPoints(const PointSearch&, const PointMasks&, std::span<Found, kQueries>) {}

MarkKernel chooseMark() {
    return nullptr;
}

#endif

} // namespace
} // namespace HWY_NAMESPACE
} // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
namespace {
HWY_EXPORT(nearPoints);
HWY_EXPORT(nearMarkedPoints);
HWY_EXPORT(chooseMark);
} // namespace

void appendNear(const PointSearch& of, std::span<PointDistances::Found, PointDistances::kQueries> found) {
    HWY_DYNAMIC_DISPATCH(nearPoints)(of, found);
}

void appendNearMarked(const PointSearch& of, const PointMasks& marked,
                      std::span<PointDistances::Found, PointDistances::kQueries> found) {
    HWY_DYNAMIC_DISPATCH(nearMarkedPoints)(of, marked, found);
}

MarkKernel markKernel() {
    return HWY_DYNAMIC_DISPATCH(chooseMark)();
}

} // namespace assay
#endif
