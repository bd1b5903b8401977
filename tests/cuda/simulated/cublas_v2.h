#pragma once

// Stands in for cuBLAS's header of the same name: the types that the engine uses.

#include "tests/cuda/simulated/simulator.h"

enum cublasStatus_t { CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_ALLOC_FAILED = 3, CUBLAS_STATUS_INVALID_VALUE = 7 };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T };
enum cudaDataType { CUDA_R_32F = 0, CUDA_R_8I = 3, CUDA_R_32I = 10 };
enum cublasComputeType_t { CUBLAS_COMPUTE_32F_PEDANTIC = 69, CUBLAS_COMPUTE_32I = 72 };
enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT = -1 };

struct SimulatedCublas {
    simulated::Stream* stream = nullptr;
};
using cublasHandle_t = SimulatedCublas*;
