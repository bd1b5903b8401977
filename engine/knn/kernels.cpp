#include "engine/knn/kernels.h"

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

std::size_t collectBelow(const float* product, std::size_t columns, float rowTerm, const float* columnTerm,
                         float rowLimit, const float* columnLimit, std::uint32_t* hits) {
    std::size_t count = 0;
    for (std::size_t j = 0; j < columns; ++j) {
        const float bound = (product[j] + columnTerm[j]) + rowTerm;
        hits[count] = static_cast<std::uint32_t>(j);
        count +=
            static_cast<std::size_t>(static_cast<int>(bound <= rowLimit) | static_cast<int>(bound <= columnLimit[j]));
    }
    return count;
}

std::size_t countAtMost(const float* values, std::size_t count, float bound) {
    std::size_t below = 0;
    for (std::size_t i = 0; i < count; ++i)
        below += values[i] <= bound ? 1 : 0;
    return below;
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

const Kernels kGenericKernels{squaredDistance, collectBelow, countAtMost, "generic"};

#if !defined(__x86_64__)
const Kernels kAvx2Kernels = kGenericKernels;
const Kernels kAvx512Kernels = kGenericKernels;
#endif

const Kernels& kernels() {
    static const Kernels& chosen = choose();
    return chosen;
}

} // namespace assay
