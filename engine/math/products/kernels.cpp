#include "engine/math/products/kernels.h"

namespace assay {
namespace {

constexpr std::size_t kLanes = 32;

double squaredDistance(const float* x, const float* y, std::size_t dim) {
    double lane[kLanes] = {};
    std::size_t i = 0;
    for (; i + kLanes <= dim; i += kLanes)
        for (std::size_t l = 0; l < kLanes; ++l) {
            const double difference = static_cast<double>(x[i + l]) - static_cast<double>(y[i + l]);
            lane[l] += difference * difference;
        }
    for (std::size_t l = 0; i + l < dim; ++l) {
        const double difference = static_cast<double>(x[i + l]) - static_cast<double>(y[i + l]);
        lane[l] += difference * difference;
    }
    for (std::size_t half = kLanes / 2; half > 0; half /= 2)
        for (std::size_t l = 0; l < half; ++l)
            lane[l] += lane[l + half];
    return lane[0];
}

void squaredDistances(const float* x, const float* base, std::size_t dim, const std::uint32_t* rows, std::size_t count,
                      double* squared) {
    for (std::size_t r = 0; r < count; ++r)
        squared[r] = squaredDistance(x, base + rows[r] * dim, dim);
}

const Kernels& choose() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq"))
        return kAvx512Kernels;
    if (__builtin_cpu_supports("avx2"))
        return kAvx2Kernels;
#endif
    return kGenericKernels;
}

} // namespace

const Kernels kGenericKernels{squaredDistance, squaredDistances, "generic"};

#if !defined(__x86_64__)
const Kernels kAvx2Kernels = kGenericKernels;
const Kernels kAvx512Kernels = kGenericKernels;
#endif

const Kernels& kernels() {
    static const Kernels& chosen = choose();
    return chosen;
}

} // namespace assay
