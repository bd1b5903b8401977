#pragma once

#include <cstdint>
#include <cstring>

#if defined(__CUDA_ARCH__)
#include <cuda_runtime.h>
#else
#include <cmath>
#endif

/// Macros for functions that compile both as GPU device code and as host code, so that tests can run them without a
/// card.
#if defined(__CUDACC__)
#define ASSAY_HOST_DEVICE __host__ __device__ inline
#define ASSAY_HOST_DEVICE_MEMBER __host__ __device__
#else
#define ASSAY_HOST_DEVICE inline
#define ASSAY_HOST_DEVICE_MEMBER
#endif

namespace assay::cuda {

// Single operations that no compiler may contract into fused multiply-adds, so host and device return identical bits.

ASSAY_HOST_DEVICE float plus(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fadd_rn(a, b);
#else
    return a + b;
#endif
}
ASSAY_HOST_DEVICE float times(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}
ASSAY_HOST_DEVICE float squareRoot(float a) {
#if defined(__CUDA_ARCH__)
    return __fsqrt_rn(a);
#else
    return std::sqrt(a);
#endif
}
/// a * b + c with one rounding.
ASSAY_HOST_DEVICE float fused(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
    return __fmaf_rn(a, b, c);
#else
    return std::fma(a, b, c);
#endif
}
ASSAY_HOST_DEVICE double plus(double a, double b) {
#if defined(__CUDA_ARCH__)
    return __dadd_rn(a, b);
#else
    return a + b;
#endif
}
ASSAY_HOST_DEVICE double times(double a, double b) {
#if defined(__CUDA_ARCH__)
    return __dmul_rn(a, b);
#else
    return a * b;
#endif
}
ASSAY_HOST_DEVICE double squareRoot(double a) {
#if defined(__CUDA_ARCH__)
    return __dsqrt_rn(a);
#else
    return std::sqrt(a);
#endif
}
ASSAY_HOST_DEVICE double fused(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
    return __fma_rn(a, b, c);
#else
    return std::fma(a, b, c);
#endif
}

ASSAY_HOST_DEVICE std::uint32_t bitsOf(float value) {
#if defined(__CUDA_ARCH__)
    return __float_as_uint(value);
#else
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
#endif
}
ASSAY_HOST_DEVICE float floatOf(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
    return __uint_as_float(bits);
#else
    float value = 0.0F;
    std::memcpy(&value, &bits, sizeof value);
    return value;
#endif
}

ASSAY_HOST_DEVICE float infinity() {
    return floatOf(0x7F800000U);
}

} // namespace assay::cuda
