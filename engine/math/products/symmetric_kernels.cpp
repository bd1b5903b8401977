#include "engine/math/products/symmetric_kernels.h"

namespace assay {
namespace {

// Eight at a time by hand, in whatever registers there are: the order of a sum is part of its value, so the compiler
// does not reorder it.
using Eight = double __attribute__((vector_size(64), aligned(8), may_alias));
constexpr std::size_t kEight = 8;
constexpr std::size_t kRows = 4; // of A at once: x and y are loaded once for all of them

__attribute__((always_inline)) inline const Eight& eightAt(const double* from) {
    return *reinterpret_cast<const Eight*>(from);
}

__attribute__((always_inline)) inline Eight& eightAt(double* from) {
    return *reinterpret_cast<Eight*>(from);
}

__attribute__((always_inline)) inline void addInto(double& sum, const Eight& v) {
    sum += ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

/// Row j's elements [from, j) as a part of both triangles, and the diagonal.
__attribute__((always_inline)) inline void finishRow(const double* row, std::size_t from, std::size_t j,
                                                     const double* x, double* y) {
    double sum = row[j] * x[j];
    for (std::size_t m = from; m < j; ++m) {
        sum += row[m] * x[m];
        y[m] += row[m] * x[j];
    }
    y[j] += sum;
}

__attribute__((always_inline)) inline void multiplyBody(const double* a, std::size_t stride, std::size_t size,
                                                        const double* x, double* y) {
    std::size_t j = 0;
    for (; j + kRows <= size; j += kRows) {
        const double* r0 = a + j * stride;
        const double* r1 = r0 + stride;
        const double* r2 = r1 + stride;
        const double* r3 = r2 + stride;
        Eight sums[kRows] = {};
        std::size_t m = 0;
        for (; m + kEight <= j; m += kEight) {
            const Eight here = eightAt(x + m);
            const Eight a0 = eightAt(r0 + m);
            const Eight a1 = eightAt(r1 + m);
            const Eight a2 = eightAt(r2 + m);
            const Eight a3 = eightAt(r3 + m);
            sums[0] += a0 * here;
            sums[1] += a1 * here;
            sums[2] += a2 * here;
            sums[3] += a3 * here;
            eightAt(y + m) += (a0 * x[j] + a1 * x[j + 1]) + (a2 * x[j + 2] + a3 * x[j + 3]);
        }
        const double* rows[kRows] = {r0, r1, r2, r3};
        for (std::size_t r = 0; r < kRows; ++r) {
            addInto(y[j + r], sums[r]);
            finishRow(rows[r], m, j + r, x, y);
        }
    }
    for (; j < size; ++j)
        finishRow(a + j * stride, 0, j, x, y);
}

__attribute__((always_inline)) inline double dotBody(const double* a, const double* b, std::size_t size) {
    Eight sums = {};
    std::size_t m = 0;
    for (; m + kEight <= size; m += kEight)
        sums += eightAt(a + m) * eightAt(b + m);
    double sum = 0.0;
    addInto(sum, sums);
    for (; m < size; ++m)
        sum += a[m] * b[m];
    return sum;
}

__attribute__((always_inline)) inline void subtractBody(double s, const double* a, double t, const double* b,
                                                        std::size_t size, double* y) {
    std::size_t m = 0;
    for (; m + kEight <= size; m += kEight)
        eightAt(y + m) -= s * eightAt(a + m) + t * eightAt(b + m);
    for (; m < size; ++m)
        y[m] -= s * a[m] + t * b[m];
}

// NOLINTBEGIN(bugprone-macro-parentheses)
#define ASSAY_SYMMETRIC_KERNELS(NAME, TARGET)                                                                          \
    TARGET void NAME##Multiply(const double* a, std::size_t stride, std::size_t size, const double* x, double* y) {    \
        multiplyBody(a, stride, size, x, y);                                                                           \
    }                                                                                                                  \
    TARGET double NAME##Dot(const double* a, const double* b, std::size_t size) {                                      \
        return dotBody(a, b, size);                                                                                    \
    }                                                                                                                  \
    TARGET void NAME##Subtract(double s, const double* a, double t, const double* b, std::size_t size, double* y) {    \
        subtractBody(s, a, t, b, size, y);                                                                             \
    }                                                                                                                  \
    constexpr SymmetricKernels NAME##Kernels{NAME##Multiply, NAME##Dot, NAME##Subtract};
// NOLINTEND(bugprone-macro-parentheses)

ASSAY_SYMMETRIC_KERNELS(plain, )
#if defined(__x86_64__)
ASSAY_SYMMETRIC_KERNELS(avx2, __attribute__((target("avx2"))))
ASSAY_SYMMETRIC_KERNELS(avx512, __attribute__((target("avx512f"))))
#endif

} // namespace

const SymmetricKernels& symmetricKernels() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return avx512Kernels;
    if (__builtin_cpu_supports("avx2"))
        return avx2Kernels;
#endif
    return plainKernels;
}

} // namespace assay
