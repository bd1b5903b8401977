#include "engine/math/products/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/math/products/kernels.cpp"
#include <hwy/foreach_target.h>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "engine/math/products/simd-inl.h"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

/// Lanes of the definition, and what they take of this instruction set's vectors.
constexpr std::size_t kLanes = 32;
using Doubles = hn::CappedTag<double, kLanes>;
using Floats = hn::Rebind<float, Doubles>;
constexpr std::size_t kStep = hn::MaxLanes(Doubles());
constexpr std::size_t kVectors = kLanes / kStep;

/// Longest row whose doubles are kept on the stack while several distances from it are measured.
constexpr std::size_t kWideRow = 2048;

/// The next row to be read, asked for two cache lines at a time.
HWY_INLINE void prefetch(const float* next) {
    hwy::Prefetch(next);
    hwy::Prefetch(next + 16);
}

HWY_INLINE hn::Vec<Doubles> load(const float* x) {
    return hn::PromoteTo(Doubles(), hn::LoadU(Floats(), x));
}
HWY_INLINE hn::Vec<Doubles> load(const double* x) {
    return hn::LoadU(Doubles(), x);
}
HWY_INLINE hn::Vec<Doubles> loadSome(const float* x, std::size_t count) {
    return hn::PromoteTo(Doubles(), loadFirst(Floats(), x, count));
}
HWY_INLINE hn::Vec<Doubles> loadSome(const double* x, std::size_t count) {
    return loadFirst(Doubles(), x, count);
}

/// Two operations on purpose: fused, the result would depend on the processor.
HWY_INLINE hn::Vec<Doubles> addSquare(hn::Vec<Doubles> sum, hn::Vec<Doubles> difference) {
    return hn::Add(sum, hn::Mul(difference, difference));
}

/// @param next the row to be read after this one
template <typename Value>
HWY_INLINE double squaredDistanceOf(const Value* x, const float* y, std::size_t dim, const float* next) {
    hn::Vec<Doubles> lane[kVectors];
    for (auto& l : lane)
        l = hn::Zero(Doubles());
    std::size_t i = 0;
    for (; i + kLanes <= dim; i += kLanes) {
        prefetch(next + i);
        for (std::size_t v = 0; v < kVectors; ++v)
            lane[v] = addSquare(lane[v], hn::Sub(load(x + i + v * kStep), load(y + i + v * kStep)));
    }
    for (std::size_t v = 0; v < kVectors && i < dim; ++v, i += kStep) {
        // Missing values are zero in both rows and add nothing.
        const std::size_t left = dim - i;
        lane[v] = addSquare(lane[v], left >= kStep ? hn::Sub(load(x + i), load(y + i))
                                                   : hn::Sub(loadSome(x + i, left), loadSome(y + i, left)));
    }
    for (std::size_t half = kVectors / 2; half > 0; half /= 2)
        for (std::size_t v = 0; v < half; ++v)
            lane[v] = hn::Add(lane[v], lane[v + half]);
    return sumOfLanes(Doubles(), lane[0]);
}

double squaredDistance(const float* x, const float* y, std::size_t dim) {
    return squaredDistanceOf(x, y, dim, y);
}

template <typename Value>
HWY_INLINE void measureAll(const Value* x, MatrixView base, std::span<const std::uint32_t> rows, double* squared) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const float* row = base.rowData(rows[r]);
        squared[r] = squaredDistanceOf(x, row, base.dim, r + 1 < rows.size() ? base.rowData(rows[r + 1]) : row);
    }
}

void squaredDistances(const float* x, MatrixView base, std::span<const std::uint32_t> rows, double* squared) {
    const std::size_t dim = base.dim;
    if (dim > kWideRow || rows.size() < 3) {
        measureAll(x, base, rows, squared);
        return;
    }
    const float* first = base.rowData(rows.front());
    HWY_ALIGN double wide[kWideRow];
    for (std::size_t i = 0; i < dim; i += kStep) {
        if (i % kLanes == 0)
            prefetch(first + i);
        hn::Store(dim - i >= kStep ? load(x + i) : loadSome(x + i, dim - i), Doubles(), wide + i);
    }
    measureAll(wide, base, rows, squared);
}

const Kernels& table() {
    static constexpr Kernels kTable{squaredDistance, squaredDistances};
    return kTable;
}

const char* targetName() {
    return hwy::TargetName(HWY_TARGET);
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
namespace {
HWY_EXPORT(table);
HWY_EXPORT(targetName);
} // namespace

const Kernels& kernels() {
    return HWY_DYNAMIC_DISPATCH(table)();
}

double directDistance(MatrixView a, std::size_t rowA, MatrixView b, std::size_t rowB) {
    return std::sqrt(kernels().squaredDistance(a.rowData(rowA), b.rowData(rowB), a.dim));
}

const char* instructionSet() {
    return HWY_DYNAMIC_DISPATCH(targetName)();
}

} // namespace assay
#endif
