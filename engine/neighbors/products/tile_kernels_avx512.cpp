// Compiled with AVX-512 enabled: keep standard library code out, or its inline functions would be emitted with AVX-512
// too and might be the copies that the linker keeps.
#include "engine/neighbors/products/row_loops.h"
#include "engine/neighbors/products/tile_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace assay {
namespace {

inline __m512 loadProduct(const float* from, __mmask16 inside) {
    return _mm512_maskz_loadu_ps(inside, from);
}

inline __m512 loadProduct(const std::int32_t* from, __mmask16 inside) {
    return _mm512_cvtepi32_ps(_mm512_maskz_loadu_epi32(inside, from));
}

/// Where hits of one kind go. Storing a whole vector and moving on by the number chosen is faster than a masked store.
struct Output {
    float* estimate;
    std::uint32_t* column;

    void append(__mmask16 chosen, __m512 estimates, __m512i columns) {
        _mm512_storeu_ps(estimate, _mm512_maskz_compress_ps(chosen, estimates));
        _mm512_storeu_si512(column, _mm512_maskz_compress_epi32(chosen, columns));
        const auto number = static_cast<unsigned>(__builtin_popcount(chosen));
        estimate += number;
        column += number;
    }
};

/// The limits of one tile row and the pairs that they admit.
template <typename Product>
class Selection {
public:
    Selection(const Product* product, const TileRow& row, const TileColumns& columns)
        : product_(product), columns_(columns), factor_(_mm512_set1_ps(row.factor)), term_(_mm512_set1_ps(row.term)),
          residual_(_mm512_set1_ps(row.residual)), offset_(_mm512_set1_ps(row.offset)),
          reach_(_mm512_set1_ps(row.reach)), level_(_mm512_set1_ps(row.level)), most_(_mm512_set1_ps(row.most)) {}

    /// Estimates of 16 columns from j on.
    __m512 estimate(std::size_t j, __mmask16 inside) const {
        const __m512 scale = _mm512_mul_ps(factor_, load(columns_.step, j, inside));
        const __m512 norms = _mm512_add_ps(term_, load(columns_.term, j, inside));
        return _mm512_add_ps(_mm512_mul_ps(loadProduct(product_ + j, inside), scale), norms);
    }

    /// Those that may be admitted by the row or the column: all that are, and a few more.
    __mmask16 near(std::size_t j, __mmask16 inside) const {
        const __m512 most = _mm512_max_ps(most_, load(columns_.most, j, inside));
        return _mm512_mask_cmp_ps_mask(inside, estimate(j, inside), most, _CMP_LE_OQ);
    }

    /// Those that the row's limit admits.
    __mmask16 forRow(std::size_t j, __mmask16 inside, __m512 estimate) const {
        const __m512 reach = _mm512_add_ps(reach_, load(columns_.residual, j, inside));
        const __mmask16 near = _mm512_mask_cmp_ps_mask(inside, estimate, _mm512_mul_ps(reach, reach), _CMP_LE_OQ);
        return _mm512_mask_cmp_ps_mask(near, _mm512_add_ps(estimate, load(columns_.offset, j, inside)), level_,
                                       _CMP_LE_OQ);
    }

    /// Those that the columns' limits admit.
    __mmask16 forColumn(std::size_t j, __mmask16 inside, __m512 estimate) const {
        const __m512 reach = _mm512_add_ps(load(columns_.reach, j, inside), residual_);
        const __mmask16 near = _mm512_mask_cmp_ps_mask(inside, estimate, _mm512_mul_ps(reach, reach), _CMP_LE_OQ);
        return _mm512_mask_cmp_ps_mask(near, _mm512_add_ps(estimate, offset_), load(columns_.level, j, inside),
                                       _CMP_LE_OQ);
    }

private:
    static __m512 load(const float* from, std::size_t j, __mmask16 inside) {
        return _mm512_maskz_loadu_ps(inside, from + j);
    }

    const Product* product_;
    const TileColumns columns_; // a copy: stores elsewhere cannot change it
    __m512 factor_, term_, residual_, offset_, reach_, level_, most_;
};

template <typename Product>
void select(const Product* product, const TileRow& row, const TileColumns& columns, TileHits& rowHits,
            TileHits& columnHits) {
    constexpr std::size_t kVectors = 32;
    const Selection<Product> selection(product, row, columns);
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    Output forRow{rowHits.estimate, rowHits.column};
    Output forColumn{columnHits.estimate, columnHits.column};
    const auto visit = [&](std::size_t j, __mmask16 inside) {
        const __m512 estimate = selection.estimate(j, inside);
        const __m512i column = _mm512_add_epi32(lanes, _mm512_set1_epi32(static_cast<int>(j)));
        forRow.append(selection.forRow(j, inside, estimate), estimate, column);
        forColumn.append(selection.forColumn(j, inside, estimate), estimate, column);
    };
    for (std::size_t first = 0; first < columns.count; first += 16 * kVectors) {
        // Which vectors hold a hit cannot be predicted: they are noted without a branch, and visited afterwards.
        std::uint32_t near[kVectors];
        std::size_t number = 0;
        const std::size_t left = columns.count - first < 16 * kVectors ? columns.count - first : 16 * kVectors;
        const std::size_t whole = left / 16;
        for (std::size_t v = 0; v < whole; ++v) {
            near[number] = static_cast<std::uint32_t>(first + 16 * v);
            number += selection.near(first + 16 * v, 0xFFFFU) != 0 ? 1 : 0;
        }
        for (std::size_t n = 0; n < number; ++n)
            visit(near[n], 0xFFFFU);
        if (left % 16 != 0)
            visit(first + 16 * whole, static_cast<__mmask16>((1U << (left % 16)) - 1U));
    }
    rowHits.count = static_cast<std::size_t>(forRow.estimate - rowHits.estimate);
    columnHits.count = static_cast<std::size_t>(forColumn.estimate - columnHits.estimate);
}

std::size_t selectNear(const std::int32_t* product, const TileRow& row, const TileColumns& columns,
                       std::uint32_t* near) {
    const Selection<std::int32_t> selection(product, row, columns);
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    std::uint32_t* next = near;
    for (std::size_t j = 0; j < columns.count; j += 16) {
        const std::size_t left = columns.count - j;
        const auto inside = static_cast<__mmask16>(left >= 16 ? 0xFFFFU : (1U << left) - 1U);
        const __mmask16 chosen = selection.near(j, inside);
        const __m512i column = _mm512_add_epi32(lanes, _mm512_set1_epi32(static_cast<int>(j)));
        _mm512_storeu_si512(next, _mm512_maskz_compress_epi32(chosen, column));
        next += static_cast<unsigned>(__builtin_popcount(chosen));
    }
    return static_cast<std::size_t>(next - near);
}

/// Sums of four vectors each.
[[gnu::target("avx512vnni")]] inline __m128i sumsOfFour(const __m512i* vector) {
    __m256i half[4];
    for (int i = 0; i < 4; ++i) {
        __m256i both[2]; // by way of memory, which the compiler sees through: its casts warn of values never set
        _mm512_storeu_si512(both, vector[i]);
        half[i] = _mm256_add_epi32(both[0], both[1]);
    }
    const __m256i pairs = _mm256_hadd_epi32(_mm256_hadd_epi32(half[0], half[1]), _mm256_hadd_epi32(half[2], half[3]));
    return _mm_add_epi32(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256(pairs, 1));
}

/// Products of one row with `kRows` others at once, so that each piece of it is loaded once for all of them. The
/// instruction multiplies unsigned by signed bytes: x goes in as x + 128, and 128 times the sum of y is taken off.
template <int kRows>
[[gnu::target("avx512vnni")]] inline void integerProductsOf(const std::int8_t* x, const std::int8_t* base,
                                                            const std::int32_t* sums, std::size_t dim,
                                                            const std::uint32_t* columns, std::int32_t* product) {
    constexpr int kSums = (kRows + 3) / 4 * 4;
    const __m512i shift = _mm512_set1_epi8(static_cast<char>(0x80));
    const std::int8_t* y[kRows];
    __m512i sum[kSums];
    for (int r = 0; r < kRows; ++r)
        y[r] = base + columns[r] * dim;
    for (__m512i& lanes : sum)
        lanes = _mm512_setzero_si512();
    std::size_t c = 0;
    for (; c + 64 <= dim; c += 64) {
        const __m512i piece = _mm512_xor_si512(_mm512_loadu_si512(x + c), shift);
        for (int r = 0; r < kRows; ++r)
            sum[r] = _mm512_dpbusd_epi32(sum[r], piece, _mm512_loadu_si512(y[r] + c));
    }
    if (c < dim) {
        const __mmask64 inside = (std::uint64_t{1} << (dim - c)) - 1U;
        const __m512i piece = _mm512_xor_si512(_mm512_maskz_loadu_epi8(inside, x + c), shift);
        for (int r = 0; r < kRows; ++r)
            sum[r] = _mm512_dpbusd_epi32(sum[r], piece, _mm512_maskz_loadu_epi8(inside, y[r] + c));
    }
    alignas(16) std::int32_t found[kSums];
    for (int r = 0; r < kRows; r += 4)
        _mm_store_si128(reinterpret_cast<__m128i*>(found + r), sumsOfFour(sum + r));
    for (int r = 0; r < kRows; ++r)
        product[r] = found[r] - 128 * sums[columns[r]];
}

[[gnu::target("avx512vnni")]] void integerProducts(const std::int8_t* x, const std::int8_t* base,
                                                   const std::int32_t* sums, std::size_t dim,
                                                   const std::uint32_t* columns, std::size_t count,
                                                   std::int32_t* product) {
    std::size_t n = 0;
    for (; n + 8 <= count; n += 8)
        integerProductsOf<8>(x, base, sums, dim, columns + n, product + n);
    if (n + 4 <= count) {
        integerProductsOf<4>(x, base, sums, dim, columns + n, product + n);
        n += 4;
    }
    for (; n < count; ++n)
        integerProductsOf<1>(x, base, sums, dim, columns + n, product + n);
}

/// A row's integers four at a time, `stride` apart, with zeros behind the last.
inline void packRow(const std::int8_t* row, std::size_t dim, std::uint32_t change, std::size_t stride,
                    std::uint32_t* packed) {
    const std::size_t whole = dim / 4;
    for (std::size_t s = 0; s < whole; ++s) {
        std::uint32_t four; // NOLINT(cppcoreguidelines-init-variables)
        __builtin_memcpy(&four, row + 4 * s, 4);
        packed[s * stride] = four ^ change;
    }
    if (dim % 4 != 0) {
        std::uint32_t rest = 0;
        for (std::size_t c = 4 * whole; c < dim; ++c)
            rest |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(row[c])) << 8 * (c % 4);
        packed[whole * stride] = rest ^ (change & ((1U << 8 * (dim % 4)) - 1U));
    }
}

void packStripColumns(const std::int8_t* columns, std::size_t dim, std::size_t count, std::uint32_t* packed) {
    constexpr std::uint32_t kUnsigned = 0x80808080U;
    const std::size_t steps = (dim + 3) / 4;
    for (std::size_t j = 0; j < count; ++j)
        packRow(columns + j * dim, dim, kUnsigned, 16, packed + j / 16 * steps * 16 + j % 16);
    for (std::size_t j = count; j < stripVectors(count) * 16; ++j)
        for (std::size_t s = 0; s < steps; ++s)
            packed[(j / 16 * steps + s) * 16 + j % 16] = 0;
}

/// Products of a strip's rows, four integers of each side by side, with the columns of some vectors. All of them stay
/// in registers.
template <int kVectors>
[[gnu::target("avx512vnni")]] inline void stripBlock(const std::uint32_t* x, const std::int32_t* sums,
                                                     std::size_t steps, const std::uint32_t* columns,
                                                     std::size_t stride, std::int32_t* product) {
    constexpr int kRows = kStripRows;
    __m512i sum[kRows][kVectors];
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 3
        for (int v = 0; v < kVectors; ++v)
            sum[r][v] = _mm512_set1_epi32(-128 * sums[r]); // what the columns have too much
    for (std::size_t s = 0; s < steps; ++s) {
        __m512i y[kVectors];
#pragma GCC unroll 3
        for (int v = 0; v < kVectors; ++v)
            y[v] = _mm512_loadu_si512(columns + (static_cast<std::size_t>(v) * steps + s) * 16);
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
            const __m512i four = _mm512_set1_epi32(static_cast<int>(x[s * kStripRows + r]));
#pragma GCC unroll 3
            for (int v = 0; v < kVectors; ++v)
                sum[r][v] = _mm512_dpbusd_epi32(sum[r][v], y[v], four);
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 3
        for (int v = 0; v < kVectors; ++v)
            _mm512_storeu_si512(product + static_cast<std::size_t>(r) * stride + static_cast<std::size_t>(v) * 16,
                                sum[r][v]);
}

[[gnu::target("avx512vnni")]] void multiplyStrip(const std::int8_t* x, const std::int32_t* sums, std::size_t rows,
                                                 std::size_t dim, const std::uint32_t* packed, std::size_t vectors,
                                                 std::int32_t* product) {
    constexpr std::size_t kVectors = 3; // of eight rows: 24 sums, as many as there are registers, but for operands
    const std::size_t steps = (dim + 3) / 4;
    std::uint32_t packedRows[kMostStripDims / 4 * kStripRows];
    std::int32_t packedSums[kStripRows];
    for (std::size_t r = 0; r < kStripRows; ++r) {
        const std::size_t row = r < rows ? r : 0; // computed in vain
        packedSums[r] = sums[row];
        packRow(x + row * dim, dim, 0, kStripRows, packedRows + r);
    }
    std::size_t v = 0;
    for (; v + kVectors <= vectors; v += kVectors)
        stripBlock<kVectors>(packedRows, packedSums, steps, packed + v * steps * 16, 16 * vectors, product + 16 * v);
    for (; v < vectors; ++v)
        stripBlock<1>(packedRows, packedSums, steps, packed + v * steps * 16, 16 * vectors, product + 16 * v);
}

std::size_t countAtMost(const float* values, std::size_t count, float bound) {
    const __m512 limit = _mm512_set1_ps(bound);
    std::size_t below = 0;
    for (std::size_t i = 0; i < count; i += 16) {
        const std::size_t left = count - i;
        const auto inside = static_cast<__mmask16>(left >= 16 ? 0xFFFFU : (1U << left) - 1U);
        below += static_cast<unsigned>(__builtin_popcount(
            _mm512_mask_cmp_ps_mask(inside, _mm512_maskz_loadu_ps(inside, values + i), limit, _CMP_LE_OQ)));
    }
    return below;
}

float atLeastKthSmallest(const float* values, std::size_t count, std::size_t k) {
    return atLeastKthSmallestLoop(values, count, k, countAtMost);
}

std::size_t keepAtMost(Candidate* list, std::size_t count, float bound) {
    const __m512 limit = _mm512_set1_ps(bound);
    const __m512i firstHalves = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 0, 0, 0, 0, 0, 0, 0, 0);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; i += 8) {
        const std::size_t left = count - i;
        const auto inside = static_cast<__mmask8>(left >= 8 ? 0xFFU : (1U << left) - 1U);
        const __m512i entry = _mm512_maskz_loadu_epi64(inside, list + i);
        const __m512 value = _mm512_castsi512_ps(_mm512_permutexvar_epi32(firstHalves, entry));
        const auto below = static_cast<__mmask8>(_mm512_mask_cmp_ps_mask(inside, value, limit, _CMP_LE_OQ));
        // Never beyond what was read: what is kept moves forward or stays.
        const auto number = static_cast<unsigned>(__builtin_popcount(below));
        _mm512_mask_storeu_epi64(list + kept, static_cast<__mmask8>((1U << number) - 1U),
                                 _mm512_maskz_compress_epi64(below, entry));
        kept += number;
    }
    return kept;
}

__mmask16 firstLanes(std::size_t count) {
    return static_cast<__mmask16>(count >= kRowLanes ? 0xFFFFU : (1U << count) - 1U);
}

float largestMagnitude(const float* values, std::size_t count) {
    constexpr __mmask16 kAll = 0xFFFF;
    const __m512 magnitude = _mm512_castsi512_ps(_mm512_set1_epi32(0x7FFFFFFF));
    __m512 most = _mm512_setzero_ps();
    for (std::size_t i = 0; i < count; i += kRowLanes) {
        const __m512 value = _mm512_maskz_loadu_ps(firstLanes(count - i), values + i);
        most = _mm512_maskz_max_ps(kAll, _mm512_and_ps(value, magnitude), most);
    }
    float lanes[kRowLanes];
    _mm512_storeu_ps(lanes, most);
    float largest = 0.0F;
    for (const float lane : lanes)
        largest = lane > largest ? lane : largest;
    return largest;
}

/// As quantizeRowLoop, whose lanes the compiler takes apart into smaller registers.
QuantizedRow quantizeRow(const float* scaled, std::size_t dim, std::int8_t* integers) {
    const QuantizingStep steps = quantizingStep(largestMagnitude(scaled, dim));
    const __m512 step = _mm512_set1_ps(steps.step);
    const __m512 inverse = _mm512_set1_ps(steps.inverse);
    const __m512 rounder = _mm512_set1_ps(kRounder);
    __m512 norm = _mm512_setzero_ps();
    __m512 residual = _mm512_setzero_ps();
    __m512i squares = _mm512_setzero_si512();
    __m512i sums = _mm512_setzero_si512();
    for (std::size_t i = 0; i < dim; i += kRowLanes) {
        const __mmask16 inside = firstLanes(dim - i);
        const __m512 value = _mm512_maskz_loadu_ps(inside, scaled + i);
        const __m512 integer = _mm512_sub_ps(_mm512_add_ps(_mm512_mul_ps(value, inverse), rounder), rounder);
        const __m512 rest = _mm512_sub_ps(value, _mm512_mul_ps(integer, step));
        norm = _mm512_add_ps(norm, _mm512_mul_ps(value, value));
        residual = _mm512_add_ps(residual, _mm512_mul_ps(rest, rest));
        const __m512i whole = _mm512_maskz_cvttps_epi32(inside, integer);
        squares = _mm512_add_epi32(squares, _mm512_mullo_epi32(whole, whole));
        sums = _mm512_add_epi32(sums, whole);
        _mm512_mask_cvtepi32_storeu_epi8(integers + i, inside, whole);
    }
    float norms[kRowLanes];
    float residuals[kRowLanes];
    std::int32_t squaresOfLanes[kRowLanes];
    std::int32_t sumsOfLanes[kRowLanes];
    _mm512_storeu_ps(norms, norm);
    _mm512_storeu_ps(residuals, residual);
    _mm512_storeu_si512(squaresOfLanes, squares);
    _mm512_storeu_si512(sumsOfLanes, sums);
    return addLanes(steps.step, norms, residuals, squaresOfLanes, sumsOfLanes);
}

} // namespace

extern const TileKernels kAvx512TileKernels{select<std::int32_t>,
                                            select<float>,
                                            selectNear,
                                            integerProductsLoop,
                                            nullptr,
                                            nullptr,
                                            findMostLoop,
                                            estimateLoop<std::int32_t>,
                                            estimateLoop<float>,
                                            atLeastKthSmallest,
                                            keepAtMost,
                                            scaleRowLoop,
                                            quantizeRow,
                                            "avx512"};

extern const TileKernels kVnniTileKernels{
    select<std::int32_t>, select<float>,      selectNear,   integerProducts,
    packStripColumns,     multiplyStrip,      findMostLoop, estimateLoop<std::int32_t>,
    estimateLoop<float>,  atLeastKthSmallest, keepAtMost,   scaleRowLoop,
    quantizeRow,          "avx512 vnni"};

} // namespace assay
#endif
