#include "engine/neighbors/products/tile_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/neighbors/products/tile_kernels.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "engine/math/products/simd-inl.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

using Floats = hn::CappedTag<float, 16>;
using Integers = hn::RebindToSigned<Floats>;
using Columns = hn::RebindToUnsigned<Floats>;
using V = hn::Vec<Floats>;
using Mask = hn::Mask<Floats>;
constexpr Floats kFloats;
constexpr Integers kIntegers;
constexpr Columns kColumns;
constexpr std::size_t kWidth = hn::MaxLanes(kFloats);

/// As many columns as a vector has lanes.
struct WholeVector {
    V load(const float* from) const { return hn::LoadU(kFloats, from); }
    V load(const std::int32_t* from) const { return hn::ConvertTo(kFloats, hn::LoadU(kIntegers, from)); }
    Mask inside(Mask mask) const { return mask; }
};

/// The last columns, fewer than that.
struct PartOfVector {
    std::size_t count;

    V load(const float* from) const { return loadFirst(kFloats, from, count); }
    V load(const std::int32_t* from) const { return hn::ConvertTo(kFloats, loadFirst(kIntegers, from, count)); }
    Mask inside(Mask mask) const { return hn::And(mask, hn::FirstN(kFloats, count)); }
};

/// The limits of one tile row and the pairs that they admit.
template <typename Product>
class Selection {
public:
    Selection(const Product* product, const TileRow& row, const TileColumns& columns)
        : product_(product), columns_(columns), factor_(hn::Set(kFloats, row.factor)),
          term_(hn::Set(kFloats, row.term)), residual_(hn::Set(kFloats, row.residual)),
          offset_(hn::Set(kFloats, row.offset)), reach_(hn::Set(kFloats, row.reach)),
          level_(hn::Set(kFloats, row.level)), most_(hn::Set(kFloats, row.most)) {}

    /// Estimates of the columns from j on.
    template <typename Part>
    V estimate(std::size_t j, Part part) const {
        const V scale = hn::Mul(factor_, part.load(columns_.step + j));
        const V norms = hn::Add(term_, part.load(columns_.term + j));
        return hn::Add(hn::Mul(part.load(product_ + j), scale), norms);
    }

    /// Those that may be admitted by the row or the column: all that are, and a few more.
    template <typename Part>
    Mask near(std::size_t j, Part part) const {
        const V most = hn::Max(most_, part.load(columns_.most + j));
        return part.inside(hn::Le(estimate(j, part), most));
    }

    /// Those that the row's limit admits.
    template <typename Part>
    Mask forRow(std::size_t j, Part part, V estimate) const {
        const V reach = hn::Add(reach_, part.load(columns_.residual + j));
        const V level = hn::Add(estimate, part.load(columns_.offset + j));
        return part.inside(hn::And(hn::Le(estimate, hn::Mul(reach, reach)), hn::Le(level, level_)));
    }

    /// Those that the columns' limits admit.
    template <typename Part>
    Mask forColumn(std::size_t j, Part part, V estimate) const {
        const V reach = hn::Add(part.load(columns_.reach + j), residual_);
        const V level = hn::Add(estimate, offset_);
        return part.inside(
            hn::And(hn::Le(estimate, hn::Mul(reach, reach)), hn::Le(level, part.load(columns_.level + j))));
    }

private:
    const Product* product_;
    const TileColumns columns_; // a copy: stores elsewhere cannot change it
    V factor_, term_, residual_, offset_, reach_, level_, most_;
};

HWY_INLINE hn::Vec<Columns> columnsFrom(std::size_t j) {
    // Not Iota(j), which this compiler puts together from single numbers.
    return hn::Add(hn::Iota(kColumns, 0), hn::Set(kColumns, static_cast<std::uint32_t>(j)));
}

HWY_INLINE std::size_t storeColumns(Mask chosen, std::size_t j, std::uint32_t* to) {
    return storeChosen(kColumns, columnsFrom(j), hn::RebindMask(kColumns, chosen), to);
}

HWY_INLINE void append(TileHits& hits, Mask chosen, V estimates, std::size_t j) {
    storeChosen(kFloats, estimates, chosen, hits.estimate + hits.count);
    hits.count += storeColumns(chosen, j, hits.column + hits.count);
}

template <typename Product>
void select(const Product* product, const TileRow& row, const TileColumns& columns, TileHits& rowHits,
            TileHits& columnHits) {
    constexpr std::size_t kVectors = 32;
    const Selection<Product> selection(product, row, columns);
    TileHits forRow{rowHits.estimate, rowHits.column, 0};
    TileHits forColumn{columnHits.estimate, columnHits.column, 0};
    const auto visit = [&](std::size_t j, auto part) HWY_ATTR {
        const V estimate = selection.estimate(j, part);
        append(forRow, selection.forRow(j, part, estimate), estimate, j);
        append(forColumn, selection.forColumn(j, part, estimate), estimate, j);
    };
    const std::size_t whole = columns.count / kWidth * kWidth;
    for (std::size_t first = 0; first < whole; first += kWidth * kVectors) {
        // Which vectors hold a hit cannot be predicted: they are noted without a branch, and visited afterwards.
        std::uint32_t near[kVectors];
        std::size_t number = 0;
        for (std::size_t j = first; j < std::min(whole, first + kWidth * kVectors); j += kWidth) {
            near[number] = static_cast<std::uint32_t>(j);
            number += hn::AllFalse(kFloats, selection.near(j, WholeVector{})) ? 0 : 1;
        }
        for (std::size_t n = 0; n < number; ++n)
            visit(near[n], WholeVector{});
    }
    if (whole < columns.count)
        visit(whole, PartOfVector{columns.count - whole});
    rowHits.count = forRow.count;
    columnHits.count = forColumn.count;
}

std::size_t selectNear(const std::int32_t* product, const TileRow& row, const TileColumns& columns,
                       std::uint32_t* near) {
    const Selection<std::int32_t> selection(product, row, columns);
    std::size_t number = 0;
    std::size_t j = 0;
    for (; j + kWidth <= columns.count; j += kWidth)
        number += storeColumns(selection.near(j, WholeVector{}), j, near + number);
    if (j < columns.count)
        number += storeColumns(selection.near(j, PartOfVector{columns.count - j}), j, near + number);
    return number;
}

void integerProducts(const std::int8_t* x, const IntegerRows& base, std::span<const std::uint32_t> columns,
                     std::int32_t* product) {
    for (std::size_t n = 0; n < columns.size(); ++n) {
        const std::int8_t* y = base.values + columns[n] * base.dim;
        std::int32_t sum = 0;
        for (std::size_t c = 0; c < base.dim; ++c)
            sum += x[c] * y[c];
        product[n] = sum;
    }
}

void findMost(const LimitArrays& limits, const RowExtremes& others, float* most) {
    constexpr float kNothing = -std::numeric_limits<float>::infinity();
    // Twice what the kernels' own sum and this difference can be rounded by.
    constexpr float kRounding = 0x1p-22F;
    const auto [reach, level, count] = limits;
    const auto [residual, offset] = others;
    for (std::size_t i = 0; i < count; ++i) {
        const float root = reach[i] + residual;
        const float margin = kRounding * (std::abs(level[i]) + std::abs(offset));
        const float byLevel = level[i] > kNothing ? (level[i] - offset) + margin : kNothing;
        most[i] = root * root < byLevel ? root * root : byLevel;
    }
}

template <typename Product>
void estimate(const Product* product, const TileRow& row, const TileColumns& columns, float* estimates) {
    for (std::size_t j = 0; j < columns.count; ++j)
        estimates[j] = static_cast<float>(product[j]) * (row.factor * columns.step[j]) + (row.term + columns.term[j]);
}

HWY_INLINE std::size_t countAtMost(const float* values, std::size_t count, float bound) {
    const V limit = hn::Set(kFloats, bound);
    std::size_t below = 0;
    std::size_t i = 0;
    for (; i + kWidth <= count; i += kWidth)
        below += hn::CountTrue(kFloats, hn::Le(hn::LoadU(kFloats, values + i), limit));
    for (; i < count; ++i)
        below += values[i] <= bound ? 1 : 0;
    return below;
}

float atLeastKthSmallest(const float* values, std::size_t count, std::size_t k) {
    constexpr int kHalvings = 16;
    V least = hn::Set(kFloats, values[0]);
    V most = least;
    std::size_t i = 0;
    for (; i + kWidth <= count; i += kWidth) {
        least = hn::Min(least, hn::LoadU(kFloats, values + i));
        most = hn::Max(most, hn::LoadU(kFloats, values + i));
    }
    float below = hn::GetLane(hn::MinOfLanes(kFloats, least));
    float above = hn::GetLane(hn::MaxOfLanes(kFloats, most)); // at least k values are at most this, always
    for (; i < count; ++i) {
        below = std::min(below, values[i]);
        above = std::max(above, values[i]);
    }
    for (int step = 0; step < kHalvings; ++step) {
        const float middle = below + (above - below) / 2.0F;
        const std::size_t found = countAtMost(values, count, middle);
        if (found < k) {
            below = middle;
            continue;
        }
        above = middle;
        if (found <= k + k / 16)
            break;
    }
    return above;
}

std::size_t keepAtMost(Candidate* list, std::size_t count, float bound) {
    std::size_t kept = 0;
    for (std::size_t c = 0; c < count; ++c) { // without branches: which ones stay cannot be predicted
        const Candidate candidate = list[c];
        list[kept] = candidate;
        kept += candidate.estimate <= bound ? 1 : 0;
    }
    return kept;
}

void scaleRow(const float* from, const float* centre, float scale, std::size_t dim, float* scaled) {
    for (std::size_t c = 0; c < dim; ++c)
        scaled[c] = from[c] * scale - centre[c];
}

/// Lanes in which sums over a row are taken, on every instruction set alike.
constexpr std::size_t kRowLanes = 16;
constexpr std::size_t kRowVectors = kRowLanes / kWidth;

float largestMagnitude(const float* values, std::size_t count) {
    V most = hn::Zero(kFloats);
    std::size_t i = 0;
    for (; i + kWidth <= count; i += kWidth)
        most = hn::Max(most, hn::Abs(hn::LoadU(kFloats, values + i)));
    most = hn::Max(most, hn::Abs(loadFirst(kFloats, values + i, count - i)));
    return hn::GetLane(hn::MaxOfLanes(kFloats, most));
}

/// Rounds a row to integers, kRowLanes values at a time, and sums up what is lost.
class RowRounding {
public:
    explicit RowRounding(float largest) {
        constexpr float kLargestInteger = 127.0F;
        constexpr float kTooSmall = 1e-30F; // below it the inverse of the step is no longer safe
        const bool some = largest >= kTooSmall;
        step_ = some ? largest / kLargestInteger : 0.0F;
        inverse_ = some ? kLargestInteger / largest : 0.0F;
        for (std::size_t v = 0; v < kRowVectors; ++v) {
            norm_[v] = residual_[v] = hn::Zero(kFloats);
            squares_[v] = sum_[v] = hn::Zero(kIntegers);
        }
    }

    HWY_INLINE void take(const float* values, std::int8_t* integers) {
        // Adding and taking away 1.5 * 2^23 rounds to the nearest integer, on every instruction set alike.
        const V rounder = hn::Set(kFloats, 0x1.8p23F);
        for (std::size_t v = 0; v < kRowVectors; ++v) {
            const V value = hn::LoadU(kFloats, values + v * kWidth);
            const V integer = hn::Sub(hn::Add(hn::Mul(value, hn::Set(kFloats, inverse_)), rounder), rounder);
            const V rest = hn::Sub(value, hn::Mul(integer, hn::Set(kFloats, step_)));
            norm_[v] = hn::Add(norm_[v], hn::Mul(value, value));
            residual_[v] = hn::Add(residual_[v], hn::Mul(rest, rest));
            const auto whole = hn::ConvertTo(kIntegers, integer);
            squares_[v] = hn::Add(squares_[v], hn::Mul(whole, whole));
            sum_[v] = hn::Add(sum_[v], whole);
            const hn::Rebind<std::int8_t, Integers> kBytes;
            hn::StoreU(hn::DemoteTo(kBytes, whole), kBytes, integers + v * kWidth);
        }
    }

    QuantizedRow row() const {
        QuantizedRow row{step_, 0.0F, 0.0F, 0, 0};
        for (std::size_t v = 0; v < kRowVectors; ++v) {
            HWY_ALIGN float floats[2][kWidth];
            HWY_ALIGN std::int32_t integers[2][kWidth];
            hn::Store(norm_[v], kFloats, floats[0]);
            hn::Store(residual_[v], kFloats, floats[1]);
            hn::Store(squares_[v], kIntegers, integers[0]);
            hn::Store(sum_[v], kIntegers, integers[1]);
            for (std::size_t l = 0; l < kWidth; ++l) {
                row.squaredNorm += floats[0][l];
                row.squaredResidual += floats[1][l];
                row.squaredIntegers += integers[0][l];
                row.sum += integers[1][l];
            }
        }
        return row;
    }

private:
    float step_, inverse_;
    V norm_[kRowVectors], residual_[kRowVectors];
    hn::Vec<Integers> squares_[kRowVectors], sum_[kRowVectors];
};

QuantizedRow quantizeRow(const float* scaled, std::size_t dim, std::int8_t* integers) {
    RowRounding rounding(largestMagnitude(scaled, dim));
    std::size_t i = 0;
    for (; i + kRowLanes <= dim; i += kRowLanes)
        rounding.take(scaled + i, integers + i);
    if (i < dim) {
        float values[kRowLanes] = {};
        std::int8_t rounded[kRowLanes];
        std::memcpy(values, scaled + i, (dim - i) * sizeof *values);
        rounding.take(values, rounded);
        std::memcpy(integers + i, rounded, dim - i);
    }
    return rounding.row();
}

#if HWY_TARGET == HWY_AVX3

// Products of bytes by AVX-512 VNNI: Highway 1.0.3 has neither an operation for its instruction nor a target of
// processors that have it. RESULTS.md says what it gains.

/// Adds to each 32-bit sum the products of its four unsigned bytes with four signed ones.
[[gnu::target(HWY_TARGET_STR ",avx512vnni")]] HWY_INLINE hn::Vec<Integers>
addProducts(hn::Vec<Integers> sum, hn::Vec<Integers> bytes, hn::Vec<Integers> signedBytes) {
    return hn::Vec<Integers>{_mm512_dpbusd_epi32(sum.raw, bytes.raw, signedBytes.raw)};
}

/// Products of one row with `kRows` others at once, so that each piece of it is loaded once for all of them. The
/// instruction multiplies unsigned by signed bytes: x goes in as x + 128, and 128 times the sum of y is taken off.
template <int kRows>
[[gnu::target(HWY_TARGET_STR ",avx512vnni")]] inline void
vnniProductsOf(const std::int8_t* x, const IntegerRows& base, const std::uint32_t* columns, std::int32_t* product) {
    constexpr hn::ScalableTag<std::int8_t> kBytes;
    constexpr std::size_t kStep = hn::MaxLanes(kBytes);
    const auto shift = hn::Set(kBytes, std::int8_t{-128});
    const std::size_t dim = base.dim;
    const std::int8_t* y[kRows];
    hn::Vec<Integers> sum[kRows];
    for (int r = 0; r < kRows; ++r) {
        y[r] = base.values + columns[r] * dim;
        sum[r] = hn::Zero(kIntegers);
    }
    std::size_t c = 0;
    for (; c + kStep <= dim; c += kStep) {
        const auto piece = hn::BitCast(kIntegers, hn::Xor(hn::LoadU(kBytes, x + c), shift));
        for (int r = 0; r < kRows; ++r)
            sum[r] = addProducts(sum[r], piece, hn::BitCast(kIntegers, hn::LoadU(kBytes, y[r] + c)));
    }
    if (c < dim) {
        const auto piece = hn::BitCast(kIntegers, hn::Xor(loadFirst(kBytes, x + c, dim - c), shift));
        for (int r = 0; r < kRows; ++r)
            sum[r] = addProducts(sum[r], piece, hn::BitCast(kIntegers, loadFirst(kBytes, y[r] + c, dim - c)));
    }
    for (int r = 0; r < kRows; ++r)
        product[r] = sumOfLanes(kIntegers, sum[r]) - 128 * base.sums[columns[r]];
}

[[gnu::target(HWY_TARGET_STR ",avx512vnni")]] void vnniProducts(const std::int8_t* x, const IntegerRows& base,
                                                                std::span<const std::uint32_t> columns,
                                                                std::int32_t* product) {
    std::size_t n = 0;
    for (; n + 8 <= columns.size(); n += 8)
        vnniProductsOf<8>(x, base, columns.data() + n, product + n);
    for (; n < columns.size(); ++n)
        vnniProductsOf<1>(x, base, columns.data() + n, product + n);
}

/// A row's integers four at a time, `stride` apart, with zeros behind the last.
HWY_INLINE void packRow(const std::int8_t* row, std::size_t dim, std::uint32_t change, std::size_t stride,
                        std::uint32_t* packed) {
    const std::size_t whole = dim / 4;
    for (std::size_t s = 0; s < whole; ++s) {
        std::uint32_t four = 0;
        std::memcpy(&four, row + 4 * s, sizeof four);
        packed[s * stride] = four ^ change;
    }
    if (dim % 4 != 0) {
        std::uint32_t rest = 0;
        for (std::size_t c = 4 * whole; c < dim; ++c)
            rest |= std::uint32_t{static_cast<std::uint8_t>(row[c])} << 8 * (c % 4);
        packed[whole * stride] = rest ^ (change & ((1U << 8 * (dim % 4)) - 1U));
    }
}

void packStripColumns(const IntegerRows& columns, std::size_t count, std::uint32_t* packed) {
    constexpr std::uint32_t kUnsigned = 0x80808080U;
    const std::size_t dim = columns.dim;
    const std::size_t steps = (dim + 3) / 4;
    for (std::size_t j = 0; j < count; ++j)
        packRow(columns.values + j * dim, dim, kUnsigned, 16, packed + j / 16 * steps * 16 + j % 16);
    for (std::size_t j = count; j < stripVectors(count) * 16; ++j)
        for (std::size_t s = 0; s < steps; ++s)
            packed[(j / 16 * steps + s) * 16 + j % 16] = 0;
}

/// A strip's rows, four integers of each side by side.
struct PackedRows {
    std::uint32_t values[kMaxStripDims / 4][kStripRows];
    std::int32_t sums[kStripRows];
};

/// Products of a strip's rows with the columns of some vectors. All of them stay in registers.
template <int kVectors>
[[gnu::target(HWY_TARGET_STR ",avx512vnni")]] inline void stripBlock(const PackedRows& rows, std::size_t steps,
                                                                     const std::uint32_t* columns, std::size_t stride,
                                                                     std::int32_t* product) {
    constexpr int kRows = kStripRows;
    hn::Vec<Integers> sum[kRows][kVectors];
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 3
        for (int v = 0; v < kVectors; ++v)
            sum[r][v] = hn::Set(kIntegers, -128 * rows.sums[r]); // what the columns have too much
    for (std::size_t s = 0; s < steps; ++s) {
        hn::Vec<Integers> y[kVectors];
#pragma GCC unroll 3
        for (int v = 0; v < kVectors; ++v)
            y[v] =
                hn::BitCast(kIntegers, hn::LoadU(kColumns, columns + (static_cast<std::size_t>(v) * steps + s) * 16));
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
            const auto four = hn::Set(kIntegers, static_cast<std::int32_t>(rows.values[s][r]));
#pragma GCC unroll 3
            for (int v = 0; v < kVectors; ++v)
                sum[r][v] = addProducts(sum[r][v], y[v], four);
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 3
        for (int v = 0; v < kVectors; ++v)
            hn::StoreU(sum[r][v], kIntegers,
                       product + static_cast<std::size_t>(r) * stride + static_cast<std::size_t>(v) * 16);
}

[[gnu::target(HWY_TARGET_STR ",avx512vnni")]] void multiplyStrip(const IntegerRows& x, std::size_t rows,
                                                                 const PackedColumns& columns, std::int32_t* product) {
    constexpr std::size_t kVectors = 3; // of eight rows: 24 sums, as many as there are registers, but for operands
    const auto [packed, vectors] = columns;
    const std::size_t steps = (x.dim + 3) / 4;
    PackedRows packedRows;
    for (std::size_t r = 0; r < kStripRows; ++r) {
        const std::size_t row = r < rows ? r : 0; // computed in vain
        packedRows.sums[r] = x.sums[row];
        packRow(x.values + row * x.dim, x.dim, 0, kStripRows, &packedRows.values[0][r]);
    }
    std::size_t v = 0;
    for (; v + kVectors <= vectors; v += kVectors)
        stripBlock<kVectors>(packedRows, steps, packed + v * steps * 16, 16 * vectors, product + 16 * v);
    for (; v < vectors; ++v)
        stripBlock<1>(packedRows, steps, packed + v * steps * 16, 16 * vectors, product + 16 * v);
}

#endif

constexpr TileKernels kTable{.selectInteger = select<std::int32_t>,
                             .selectSingle = select<float>,
                             .selectNear = selectNear,
                             .integerProducts = integerProducts,
                             .packStripColumns = nullptr,
                             .multiplyStrip = nullptr,
                             .findMost = findMost,
                             .estimateInteger = estimate<std::int32_t>,
                             .estimateSingle = estimate<float>,
                             .atLeastKthSmallest = atLeastKthSmallest,
                             .keepAtMost = keepAtMost,
                             .scaleRow = scaleRow,
                             .quantizeRow = quantizeRow};

const TileKernels& table() {
#if HWY_TARGET == HWY_AVX3
    static const TileKernels kWithVnni = [] {
        TileKernels kernels = kTable;
        kernels.integerProducts = vnniProducts;
        kernels.packStripColumns = packStripColumns;
        kernels.multiplyStrip = multiplyStrip;
        return kernels;
    }();
    if (__builtin_cpu_supports("avx512vnni"))
        return kWithVnni;
#endif
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

const TileKernels& tileKernels() {
    return HWY_DYNAMIC_DISPATCH(table)();
}

} // namespace assay
#endif
