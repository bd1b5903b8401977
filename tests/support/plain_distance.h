#pragma once

#include <cstddef>

namespace assay::test {

/// Squared distance of two rows as it is defined (engine/math/products/kernels.h), without vectors.
inline double plainSquaredDistance(const float* x, const float* y, std::size_t dim) {
    constexpr std::size_t kLanes = 32;
    double lane[kLanes] = {};
    for (std::size_t i = 0; i < dim; ++i) {
        const double difference = static_cast<double>(x[i]) - static_cast<double>(y[i]);
        lane[i % kLanes] += difference * difference;
    }
    for (std::size_t half = kLanes / 2; half > 0; half /= 2)
        for (std::size_t l = 0; l < half; ++l)
            lane[l] += lane[l + half];
    return lane[0];
}

} // namespace assay::test
