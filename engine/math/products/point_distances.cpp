#include "engine/math/products/point_distances.h"

#include "engine/base/parallel.h"

#include <algorithm>
#include <bit>
#include <limits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace assay {
namespace {

constexpr std::size_t kBlock = PointDistances::kBlock;
constexpr std::size_t kQueries = PointDistances::kQueries;
using Found = PointDistances::Found;
constexpr std::size_t kLine = 16; ///< floats

std::size_t linesOf(std::size_t dim) {
    return (dim + kLine - 1) / kLine;
}

struct Search {
    const float* block; ///< dim x kBlock
    const float* lines; ///< kBlock x padded
    const std::array<const float*, kQueries>& queries;
    std::size_t dim;
    std::size_t padded;
    std::uint32_t firstRow;
    float limit;
};

// Squares of coordinates are added up in 16 sums, that of coordinate c in sum c mod 16, and these in fours, and the
// fours' in pairs: the order in which 16 points at a time are quickest, followed by all, so that all find the same.
constexpr std::size_t kSums = 16;
constexpr std::size_t kFour = 4;

void plainNear(const Search& of, std::span<Found, kQueries> found) {
    std::array<std::array<float, kBlock>, kSums> sums; // NOLINT(cppcoreguidelines-pro-type-member-init)
    for (std::size_t q = 0; q < kQueries; ++q) {
        for (std::size_t s = 0; s < kSums; ++s) {
            sums[s].fill(0.0F);
            for (std::size_t c = s; c < of.dim; c += kSums)
                for (std::size_t j = 0; j < kBlock; ++j) {
                    const float apart = of.block[c * kBlock + j] - of.queries[q][c];
                    sums[s][j] += apart * apart;
                }
        }
        const auto four = [&](std::size_t s, std::size_t j) {
            return (sums[s][j] + sums[s + 2][j]) + (sums[s + 1][j] + sums[s + 3][j]);
        };
        std::size_t count = found[q].count;
        for (std::size_t j = 0; j < kBlock; ++j) {
            const float squared = (four(0, j) + four(4, j)) + (four(8, j) + four(12, j));
            found[q].row[count] = of.firstRow + static_cast<std::uint32_t>(j);
            found[q].squared[count] = squared;
            count += squared <= of.limit ? 1U : 0U;
        }
        found[q].count = count;
    }
}

/// Pairs of a query and a point that are measured on their own: for more it is quicker to measure all.
constexpr std::size_t kMostMeasured = kBlock * kQueries / 4;

#if defined(__x86_64__)

__attribute__((target("avx512f,popcnt"))) void avx512Near(const Search& of, std::span<Found, kQueries> found) {
    constexpr std::size_t kLanes = 16;
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512 limit = _mm512_set1_ps(of.limit);
    for (std::size_t j = 0; j < kBlock; j += kLanes) {
        __m512 halves[2][kQueries]; // of two fours each
        for (std::size_t first = 0; first < kSums; first += kFour) {
            __m512 sum[kFour][kQueries];
            for (auto& row : sum)
                for (__m512& x : row)
                    x = _mm512_setzero_ps();
            for (std::size_t from = first; from < of.dim; from += kSums)
                for (std::size_t c = from; c < std::min(of.dim, from + kFour); ++c) {
                    const __m512 y = _mm512_loadu_ps(of.block + c * kBlock + j);
#pragma GCC unroll 4
                    for (std::size_t q = 0; q < kQueries; ++q) {
                        const __m512 apart = _mm512_sub_ps(y, _mm512_set1_ps(of.queries[q][c]));
                        sum[c - from][q] = _mm512_fmadd_ps(apart, apart, sum[c - from][q]);
                    }
                }
            for (std::size_t q = 0; q < kQueries; ++q) {
                const __m512 four =
                    _mm512_add_ps(_mm512_add_ps(sum[0][q], sum[2][q]), _mm512_add_ps(sum[1][q], sum[3][q]));
                __m512& half = halves[first / (2 * kFour)][q];
                half = first % (2 * kFour) == 0 ? four : _mm512_add_ps(half, four);
            }
        }
        const __m512i rows =
            _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(of.firstRow + static_cast<std::uint32_t>(j))), lanes);
        for (std::size_t q = 0; q < kQueries; ++q) {
            const __m512 squared = _mm512_add_ps(halves[0][q], halves[1][q]);
            const __mmask16 near = _mm512_cmp_ps_mask(squared, limit, _CMP_LE_OQ);
            Found& one = found[q];
            _mm512_storeu_ps(one.squared.data() + one.count, _mm512_maskz_compress_ps(near, squared));
            _mm512_storeu_si512(one.row.data() + one.count, _mm512_maskz_compress_epi32(near, rows));
            one.count += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(near)));
        }
    }
}

/// The points that were marked for the queries, one query's behind the other's.
struct Marked {
    static constexpr std::size_t kLanes = 16;
    static constexpr std::size_t kRoom = kMostMeasured + 4 * kLanes; ///< whole registers are written
    std::array<std::uint8_t, kRoom> place;                           ///< in the block
    std::array<std::uint8_t, kRoom> query;
    std::array<float, kRoom> squared;
    std::array<std::size_t, kQueries + 1> first; ///< of each query's, and the end
};

__attribute__((target("avx512f,avx512bw,avx512vbmi2,popcnt"))) void
gather(const std::array<RoundedPoints::Mask, kQueries>& passed, Marked& marked) {
    constexpr std::size_t kBytes = 64;
    alignas(kBytes) static constexpr auto kLane = [] {
        std::array<std::uint8_t, kBytes> lane{};
        for (std::size_t i = 0; i < kBytes; ++i)
            lane[i] = static_cast<std::uint8_t>(i);
        return lane;
    }();
    __m512i here = _mm512_load_si512(kLane.data()); // starts again at 0 behind a block
    std::size_t count = 0;
    for (std::size_t q = 0; q < kQueries; ++q) {
        marked.first[q] = count;
        for (const std::uint64_t word : passed[q]) {
            _mm512_storeu_si512(marked.place.data() + count, _mm512_maskz_compress_epi8(word, here));
            _mm512_storeu_si512(marked.query.data() + count, _mm512_set1_epi8(static_cast<char>(q)));
            count += static_cast<std::size_t>(std::popcount(word));
            here = _mm512_add_epi8(here, _mm512_set1_epi8(kBytes));
        }
    }
    marked.first[kQueries] = count;
    // What is measured along with the last of them.
    _mm512_storeu_si512(marked.place.data() + count, _mm512_setzero_si512());
    _mm512_storeu_si512(marked.query.data() + count, _mm512_setzero_si512());
}

/// Where 16 points' and their queries' coordinates begin.
struct Sixteen {
    alignas(64) std::array<std::uint32_t, 16> point; ///< among the block's lines
    alignas(64) std::array<std::uint32_t, 16> query; ///< among the padded queries
};

__attribute__((target("avx512f"), always_inline)) inline void multiples(const std::uint8_t* bytes, std::size_t of,
                                                                        std::array<std::uint32_t, 16>& to) {
    const __m512i wide = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
    _mm512_store_si512(to.data(), _mm512_mullo_epi32(wide, _mm512_set1_epi32(static_cast<int>(of))));
}

/// Sums of 16 squares each, one per vector.
__attribute__((target("avx512f"), always_inline)) inline __m512 sumOfEach(const __m512 (&squares)[16]) {
    __m512 twos[8];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < 8; ++i)
        twos[i] = _mm512_add_ps(_mm512_unpacklo_ps(squares[2 * i], squares[2 * i + 1]),
                                _mm512_unpackhi_ps(squares[2 * i], squares[2 * i + 1]));
    __m512 fours[4];
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 4; ++i) {
        const __m512d a = _mm512_castps_pd(twos[2 * i]);
        const __m512d b = _mm512_castps_pd(twos[2 * i + 1]);
        fours[i] =
            _mm512_add_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(a, b)), _mm512_castpd_ps(_mm512_unpackhi_pd(a, b)));
    }
    __m512 halves[2];
#pragma GCC unroll 2
    for (std::size_t i = 0; i < 2; ++i)
        halves[i] = _mm512_add_ps(_mm512_shuffle_f32x4(fours[2 * i], fours[2 * i + 1], 0x88),
                                  _mm512_shuffle_f32x4(fours[2 * i], fours[2 * i + 1], 0xDD));
    return _mm512_add_ps(_mm512_shuffle_f32x4(halves[0], halves[1], 0x88),
                         _mm512_shuffle_f32x4(halves[0], halves[1], 0xDD));
}

/// Those of the marked points that are near. Squared distances are avx512Near's to the last bit: what a point has
/// behind its last coordinate adds nothing.
__attribute__((target("avx512f,avx512bw,avx512vbmi2,popcnt"))) void
avx512Measure(const Search& of, const PointDistances::Queries& queries,
              const std::array<RoundedPoints::Mask, kQueries>& passed, std::span<Found, kQueries> found) {
    constexpr std::size_t kLanes = Marked::kLanes;
    Marked marked; // NOLINT(cppcoreguidelines-pro-type-member-init)
    gather(passed, marked);
    for (std::size_t i = 0; i < marked.first[kQueries]; i += kLanes) {
        Sixteen at; // NOLINT(cppcoreguidelines-pro-type-member-init)
        multiples(marked.place.data() + i, of.padded, at.point);
        multiples(marked.query.data() + i, RoundedPoints::kMostDims, at.query);
        __m512 squares[kLanes];
#pragma GCC unroll 16
        for (std::size_t l = 0; l < kLanes; ++l) {
            const float* point = of.lines + at.point[l];
            const float* query = queries.padded[0] + at.query[l];
            __m512 sum = _mm512_setzero_ps();
            for (std::size_t c = 0; c < of.padded; c += kLine) {
                const __m512 apart = _mm512_sub_ps(_mm512_load_ps(point + c), _mm512_load_ps(query + c));
                sum = _mm512_fmadd_ps(apart, apart, sum);
            }
            squares[l] = sum;
        }
        _mm512_storeu_ps(marked.squared.data() + i, sumOfEach(squares));
    }
    const __m512 limit = _mm512_set1_ps(of.limit);
    const __m512i firstRow = _mm512_set1_epi32(static_cast<int>(of.firstRow));
    for (std::size_t q = 0; q < kQueries; ++q) {
        Found& one = found[q];
        for (std::size_t i = marked.first[q]; i < marked.first[q + 1]; i += kLanes) {
            const std::size_t here = std::min(marked.first[q + 1] - i, kLanes);
            const auto inside = static_cast<__mmask16>((1U << here) - 1U);
            const __m512 squared = _mm512_loadu_ps(marked.squared.data() + i);
            const __m128i place = _mm_loadu_si128(reinterpret_cast<const __m128i*>(marked.place.data() + i));
            const __m512i rows = _mm512_add_epi32(_mm512_cvtepu8_epi32(place), firstRow);
            const __mmask16 near = _mm512_mask_cmp_ps_mask(inside, squared, limit, _CMP_LE_OQ);
            _mm512_storeu_ps(one.squared.data() + one.count, _mm512_maskz_compress_ps(near, squared));
            _mm512_storeu_si512(one.row.data() + one.count, _mm512_maskz_compress_epi32(near, rows));
            one.count += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(near)));
        }
    }
}

__attribute__((target("avx2,fma"))) void avx2Near(const Search& of, std::span<Found, kQueries> found) {
    constexpr std::size_t kLanes = 8;
    std::array<float, kBlock> squared{};
    for (std::size_t q = 0; q < kQueries; ++q) {
        for (std::size_t j = 0; j < kBlock; j += kLanes) {
            __m256 halves[2]; // of two fours each
            for (std::size_t first = 0; first < kSums; first += kFour) {
                __m256 sum[kFour] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(),
                                     _mm256_setzero_ps()};
                for (std::size_t from = first; from < of.dim; from += kSums)
                    for (std::size_t c = from; c < from + kFour && c < of.dim; ++c) {
                        const __m256 apart =
                            _mm256_sub_ps(_mm256_loadu_ps(of.block + c * kBlock + j), _mm256_set1_ps(of.queries[q][c]));
                        sum[c - from] = _mm256_fmadd_ps(apart, apart, sum[c - from]);
                    }
                const __m256 four = _mm256_add_ps(_mm256_add_ps(sum[0], sum[2]), _mm256_add_ps(sum[1], sum[3]));
                __m256& half = halves[first / (2 * kFour)];
                half = first % (2 * kFour) == 0 ? four : _mm256_add_ps(half, four);
            }
            _mm256_storeu_ps(squared.data() + j, _mm256_add_ps(halves[0], halves[1]));
        }
        std::size_t count = found[q].count;
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

std::size_t PointDistances::bytesPerRow(std::size_t dim) noexcept {
    return (dim + linesOf(dim) * kLine) * sizeof(float) + RoundedPoints::bytesPerRow(dim);
}

PointDistances::PointDistances(const std::vector<float>& points, std::size_t rows, std::size_t dim, unsigned threads,
                               const JobContext& job)
    : rows_(rows), dim_(dim), padded_(linesOf(dim) * kLine), values_(makeLargeArray<float>(blocks() * kBlock * dim)),
      rounded_(points, rows, dim, threads, job) {
    if (rounded_.tell())
        lines_ = makeLargeArray<float>(blocks() * kBlock * padded_);
    parallelFor(blocks(), threads, job, [&](std::size_t block, unsigned) { fillBlock(points, block); });
}

void PointDistances::fillBlock(const std::vector<float>& points, std::size_t block) {
    const std::size_t first = block * kBlock;
    const std::size_t count = std::min(kBlock, rows_ - first);
    float* values = values_.get() + first * dim_;
    for (std::size_t c = 0; c < dim_; ++c) {
        for (std::size_t r = 0; r < count; ++r)
            values[c * kBlock + r] = points[(first + r) * dim_ + c];
        std::fill_n(values + c * kBlock + count, kBlock - count, std::numeric_limits<float>::quiet_NaN());
    }
    if (!lines_)
        return;
    float* lines = lines_.get() + first * padded_;
    std::fill_n(lines, kBlock * padded_, 0.0F);
    for (std::size_t r = 0; r < count; ++r)
        std::copy_n(points.data() + (first + r) * dim_, dim_, lines + r * padded_);
}

PointDistances::Queries PointDistances::queries(const std::array<const float*, kQueries>& points, float limit) const {
    Queries queries{points, limit, false, {}, {}};
    for (std::size_t q = 0; q < kQueries; ++q) {
        const auto rounded = rounded_.query(points[q], limit);
        if (!rounded)
            return queries;
        queries.rounded[q] = *rounded;
        std::copy_n(points[q], dim_, queries.padded[q]);
    }
    queries.areRounded = true;
    return queries;
}

void PointDistances::near(const Queries& queries, std::size_t block, std::span<Found, kQueries> found) const {
    constexpr std::size_t kRoom = kBlock + 16; // whole vectors are written
    for (Found& one : found)
        if (one.row.size() < one.count + kRoom) {
            one.row.resize(2 * one.row.size() + kRoom);
            one.squared.resize(one.row.size());
        }
    const Search search{values_.get() + block * dim_ * kBlock,
                        lines_.get() + block * kBlock * padded_,
                        queries.points,
                        dim_,
                        padded_,
                        static_cast<std::uint32_t>(block * kBlock),
                        queries.limit};
#if defined(__x86_64__)
    if (queries.areRounded) {
        std::array<RoundedPoints::Mask, kQueries> passed; // NOLINT(cppcoreguidelines-pro-type-member-init)
        if (rounded_.mark(queries.rounded, block, passed) <= kMostMeasured) {
            return avx512Measure(search, queries, passed, found);
        }
    }
    if (__builtin_cpu_supports("avx512f"))
        return avx512Near(search, found);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return avx2Near(search, found);
#endif
    plainNear(search, found);
}

} // namespace assay
