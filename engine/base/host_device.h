#pragma once

#include <bit>
#include <cstdint>

#if defined(__CUDA_ARCH__)
#include <cuda_runtime.h>
#define ASSAY_DEVICE_OR_HOST(device, host) device
#else
#include <cmath>
#define ASSAY_DEVICE_OR_HOST(device, host) host
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
    return ASSAY_DEVICE_OR_HOST(__fadd_rn(a, b), a + b);
}
ASSAY_HOST_DEVICE float times(float a, float b) {
    return ASSAY_DEVICE_OR_HOST(__fmul_rn(a, b), a * b);
}
ASSAY_HOST_DEVICE float squareRoot(float a) {
    return ASSAY_DEVICE_OR_HOST(__fsqrt_rn(a), std::sqrt(a));
}
/// a * b + c with one rounding.
ASSAY_HOST_DEVICE float fused(float a, float b, float c) {
    return ASSAY_DEVICE_OR_HOST(__fmaf_rn(a, b, c), std::fma(a, b, c));
}
ASSAY_HOST_DEVICE double plus(double a, double b) {
    return ASSAY_DEVICE_OR_HOST(__dadd_rn(a, b), a + b);
}
ASSAY_HOST_DEVICE double times(double a, double b) {
    return ASSAY_DEVICE_OR_HOST(__dmul_rn(a, b), a * b);
}
ASSAY_HOST_DEVICE double squareRoot(double a) {
    return ASSAY_DEVICE_OR_HOST(__dsqrt_rn(a), std::sqrt(a));
}
ASSAY_HOST_DEVICE double fused(double a, double b, double c) {
    return ASSAY_DEVICE_OR_HOST(__fma_rn(a, b, c), std::fma(a, b, c));
}

ASSAY_HOST_DEVICE std::uint32_t bitsOf(float value) {
    return ASSAY_DEVICE_OR_HOST(__float_as_uint(value), std::bit_cast<std::uint32_t>(value));
}
ASSAY_HOST_DEVICE float floatOf(std::uint32_t bits) {
    return ASSAY_DEVICE_OR_HOST(__uint_as_float(bits), std::bit_cast<float>(bits));
}

ASSAY_HOST_DEVICE float infinity() {
    return floatOf(0x7F800000U);
}

} // namespace assay::cuda
