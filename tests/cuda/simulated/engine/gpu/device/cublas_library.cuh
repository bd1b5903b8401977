#pragma once

// Takes the place of engine/gpu/device/cublas_library.cuh: the same functions on the host, with plain loops. What
// cuBLAS's documentation asks of products of integers on tensor cores is asked here, too.

#include "tests/cuda/simulated/cublas_v2.h"
#include "tests/cuda/simulated/cuda_runtime.h"

#include <cstdint>
#include <string>

namespace assay::cuda {

struct CublasLibrary {
    cublasStatus_t (*create)(cublasHandle_t*) = [](cublasHandle_t* handle) {
        *handle = new SimulatedCublas;
        ++simulated::machine().handles.cublas;
        return CUBLAS_STATUS_SUCCESS;
    };
    cublasStatus_t (*destroy)(cublasHandle_t) = [](cublasHandle_t handle) {
        delete handle;
        --simulated::machine().handles.cublas;
        return CUBLAS_STATUS_SUCCESS;
    };
    cublasStatus_t (*setStream)(cublasHandle_t, cudaStream_t) = [](cublasHandle_t, cudaStream_t) {
        return CUBLAS_STATUS_SUCCESS;
    };
    const char* (*statusText)(cublasStatus_t) = [](cublasStatus_t) { return "CUBLAS_STATUS_INVALID_VALUE"; };

    static std::string fileName() { return "libcublas.so.13"; }
    static const CublasLibrary* load() {
        static const CublasLibrary library;
        return simulated::machine().hasCublas ? &library : nullptr;
    }

    cublasStatus_t multiply(cublasHandle_t /*handle*/, cublasOperation_t first, cublasOperation_t second, int m, int n,
                            int k, const void* /*alpha*/, const void* a, cudaDataType typeA, int strideA, const void* b,
                            cudaDataType typeB, int strideB, const void* /*beta*/, void* c, cudaDataType typeC,
                            int strideC, cublasComputeType_t compute, cublasGemmAlgo_t /*algorithm*/) const {
        const bool integers = typeA == CUDA_R_8I;
        const auto aligned = [](const void* values) { return reinterpret_cast<std::uintptr_t>(values) % 16 == 0; };
        if (first != CUBLAS_OP_T || second != CUBLAS_OP_N || typeA != typeB ||
            typeC != (integers ? CUDA_R_32I : CUDA_R_32F) ||
            compute != (integers ? CUBLAS_COMPUTE_32I : CUBLAS_COMPUTE_32F_PEDANTIC) || strideA % 16 != 0 ||
            strideB % 16 != 0 || strideC % 16 != 0 || m % 16 != 0 || k % 16 != 0 || !aligned(a) || !aligned(b) ||
            !aligned(c))
            return CUBLAS_STATUS_INVALID_VALUE;
        const auto times = [&](const auto* x, const auto* y, auto* product) {
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < m; ++j) {
                    auto sum = decltype(*product + *product){};
                    for (int at = 0; at < k; ++at)
                        sum += x[std::ptrdiff_t{j} * strideA + at] * y[std::ptrdiff_t{i} * strideB + at];
                    product[std::ptrdiff_t{i} * strideC + j] = sum;
                }
        };
        if (integers)
            times(static_cast<const std::int8_t*>(a), static_cast<const std::int8_t*>(b),
                  static_cast<std::int32_t*>(c));
        else
            times(static_cast<const float*>(a), static_cast<const float*>(b), static_cast<float*>(c));
        return CUBLAS_STATUS_SUCCESS;
    }
};

} // namespace assay::cuda
