#pragma once

// Takes the place of engine/gpu/device/cublas_library.cuh: the same functions on the host, with plain loops. What
// cuBLAS's documentation asks of products of integers on tensor cores is asked here, too.

#include "engine/neighbors/search/bounds.h"
#include "tests/cuda/simulated/cublas_v2.h"
#include "tests/cuda/simulated/cuda_runtime.h"

#include <cmath>
#include <cstdint>
#include <random>
#include <string>

namespace assay::cuda {

struct CublasLibrary {
    cublasStatus_t (*create)(cublasHandle_t*) = [](cublasHandle_t* handle) {
        *handle = new SimulatedCublas;
        simulated::count(&simulated::Counts::cublas, 1);
        return CUBLAS_STATUS_SUCCESS;
    };
    cublasStatus_t (*destroy)(cublasHandle_t) = [](cublasHandle_t handle) {
        delete handle;
        simulated::count(&simulated::Counts::cublas, -1);
        return CUBLAS_STATUS_SUCCESS;
    };
    cublasStatus_t (*setStream)(cublasHandle_t, cudaStream_t) = [](cublasHandle_t handle, cudaStream_t stream) {
        handle->stream = stream;
        return CUBLAS_STATUS_SUCCESS;
    };
    const char* (*statusText)(cublasStatus_t) = [](cublasStatus_t) { return "CUBLAS_STATUS_INVALID_VALUE"; };

    static std::string fileName() { return "libcublas.so.13"; }
    static const CublasLibrary* load() {
        static const CublasLibrary library;
        return simulated::machine().hasCublas ? &library : nullptr;
    }

    cublasStatus_t multiply(cublasHandle_t handle, cublasOperation_t first, cublasOperation_t second, int m, int n,
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
        simulated::add(handle->stream, [=] {
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < m; ++j) {
                    const std::ptrdiff_t x = std::ptrdiff_t{j} * strideA;
                    const std::ptrdiff_t y = std::ptrdiff_t{i} * strideB;
                    const std::ptrdiff_t place = std::ptrdiff_t{i} * strideC + j;
                    if (integers)
                        static_cast<std::int32_t*>(c)[place] = product<std::int32_t>(
                            static_cast<const std::int8_t*>(a) + x, static_cast<const std::int8_t*>(b) + y, k);
                    else if (simulated::machine().productError == 0.0)
                        static_cast<float*>(c)[place] =
                            product<float>(static_cast<const float*>(a) + x, static_cast<const float*>(b) + y, k);
                    else
                        static_cast<float*>(c)[place] =
                            wrongProduct(static_cast<const float*>(a) + x, static_cast<const float*>(b) + y, k);
                }
        });
        return CUBLAS_STATUS_SUCCESS;
    }

private:
    template <typename Sum, typename Value>
    static Sum product(const Value* x, const Value* y, int count) {
        Sum sum{};
        for (int at = 0; at < count; ++at)
            sum += x[at] * y[at];
        return sum;
    }

    /// As wrong as Machine::productError says.
    static float wrongProduct(const float* x, const float* y, int count) {
        double exact = 0.0;
        double normX = 0.0;
        double normY = 0.0;
        for (int at = 0; at < count; ++at) {
            exact += static_cast<double>(x[at]) * static_cast<double>(y[at]);
            normX += static_cast<double>(x[at]) * static_cast<double>(x[at]);
            normY += static_cast<double>(y[at]) * static_cast<double>(y[at]);
        }
        const auto columns = static_cast<std::size_t>(count);
        const double allowed = estimateError(Precision::Single, columns) - estimateError(Precision::Integer, columns);
        static std::mt19937 random(12345);
        const double most = simulated::machine().productError;
        const double share = std::uniform_real_distribution<double>(-most, most)(random);
        return static_cast<float>(exact + 0.999 * share * allowed * std::sqrt(normX * normY));
    }
};

} // namespace assay::cuda
