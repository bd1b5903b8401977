#include "engine/stats/point_distances.h"

#include <algorithm>

namespace assay {
namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kBlock = PointDistances::kBlock;
constexpr std::size_t kQueries = PointDistances::kQueries;

struct Measurement {
    const float* block; ///< dim x kBlock
    const float* const (&queries)[kQueries];
    std::size_t dim;
    float* squared;
};

// The same text for every instruction set; the vector type is as wide as it has to be.
#define ASSAY_MEASURE_BODY                                                                                             \
    using Lanes = float __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));                   \
    for (std::size_t j = 0; j < kBlock; j += kLanes) {                                                                 \
        Lanes sum[kQueries] = {};                                                                                      \
        for (std::size_t c = 0; c < of.dim; ++c) {                                                                     \
            const Lanes y = *reinterpret_cast<const Lanes*>(of.block + c * kBlock + j);                                \
            for (std::size_t q = 0; q < kQueries; ++q) {                                                               \
                const Lanes apart = y - of.queries[q][c];                                                              \
                sum[q] += apart * apart;                                                                               \
            }                                                                                                          \
        }                                                                                                              \
        for (std::size_t q = 0; q < kQueries; ++q)                                                                     \
            *reinterpret_cast<Lanes*>(of.squared + q * kBlock + j) = sum[q];                                           \
    }

using Measure = void (*)(const Measurement& of);

void plainMeasure(const Measurement& of) {
    ASSAY_MEASURE_BODY
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void avx2Measure(const Measurement& of) {
    ASSAY_MEASURE_BODY
}
__attribute__((target("avx512f"))) void avx512Measure(const Measurement& of){ASSAY_MEASURE_BODY}
#endif

Measure measureHere() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return avx512Measure;
    if (__builtin_cpu_supports("avx2"))
        return avx2Measure;
#endif
    return plainMeasure;
}

} // namespace

PointDistances::PointDistances(const std::vector<float>& points, std::size_t rows, std::size_t dim)
    : rows_(rows), dim_(dim), values_((rows + kBlock - 1) / kBlock * kBlock * dim, 0.0F) {
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < dim; ++c)
            values_[(r / kBlock * dim + c) * kBlock + r % kBlock] = points[r * dim + c];
}

std::size_t PointDistances::pointsIn(std::size_t block) const noexcept {
    return std::min(kBlock, rows_ - block * kBlock);
}

void PointDistances::measure(const float* const (&queries)[kQueries], std::size_t block, float* squared) const {
    measureHere()({values_.data() + block * dim_ * kBlock, queries, dim_, squared});
}

} // namespace assay
