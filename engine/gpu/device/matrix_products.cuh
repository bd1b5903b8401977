#pragma once

#include "engine/gpu/device/cublas_library.cuh"
#include "engine/gpu/device/device.h"
#include "engine/gpu/device/pass_data.h"

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace assay::cuda {

/// Two operands (bounds.h) of the same padded columns.
struct Operands {
    const std::byte* x;
    const std::byte* y;
    std::size_t columns;
    Precision precision;
};

/// Products of operands by cuBLAS, on the device that was current when this was made.
class MatrixProducts {
public:
    /// @param stream that products are queued in
    /// @param device named in errors
    /// @throws Error{DeviceFailed}
    MatrixProducts(const CublasLibrary& library, cudaStream_t stream, std::string device)
        : library_(&library), device_(std::move(device)) {
        cublasHandle_t handle = nullptr;
        require(library_->create(&handle), "cublasCreate");
        handle_ = Handle(handle, library_->destroy);
        require(library_->setStream(handle, stream), "cublasSetStream");
    }

    /// Queues the product of each row of x with each row of y that is in a tile, row by row of whole tiles: of 32-bit
    /// integers or floats. Integers are exact; floats are neither rounded to less on the way nor split into such
    /// ("pedantic").
    void queue(const Operands& operands, const Region& tile, void* product) const {
        const bool integers = operands.precision == Precision::Integer;
        const std::size_t rowBytes = operands.columns * valueBytes(operands.precision);
        const std::int32_t integerFactors[] = {1, 0};
        const float floatFactors[] = {1.0F, 0.0F};
        const void* one = integers ? static_cast<const void*>(integerFactors) : floatFactors;
        const void* none = integers ? static_cast<const void*>(integerFactors + 1) : floatFactors + 1;
        const cudaDataType value = integers ? CUDA_R_8I : CUDA_R_32F;
        const auto columns = static_cast<int>(operands.columns);
        const auto rowsX = static_cast<int>(wholeTiles(tile.xEnd - tile.xBegin));
        const auto rowsY = static_cast<int>(wholeTiles(tile.yEnd - tile.yBegin));
        // In cuBLAS's order, column by column, our rows are columns: it makes y x' and stores it as x y' row by row.
        require(library_->multiply(handle_.get(), CUBLAS_OP_T, CUBLAS_OP_N, rowsY, rowsX, columns, one,
                                   operands.y + tile.yBegin * rowBytes, value, columns,
                                   operands.x + tile.xBegin * rowBytes, value, columns, none, product,
                                   integers ? CUDA_R_32I : CUDA_R_32F, rowsY,
                                   integers ? CUBLAS_COMPUTE_32I : CUBLAS_COMPUTE_32F_PEDANTIC, CUBLAS_GEMM_DEFAULT),
                "cublasGemmEx");
    }

private:
    using Handle = std::unique_ptr<std::remove_pointer_t<cublasHandle_t>, cublasStatus_t (*)(cublasHandle_t)>;

    void require(cublasStatus_t status, const char* call) const {
        if (status == CUBLAS_STATUS_SUCCESS)
            return;
        const std::string message = device_ + ": " + call + " failed: " + library_->statusText(status);
        if (status == CUBLAS_STATUS_ALLOC_FAILED)
            throw OutOfDeviceMemory(message);
        throw Error(ErrorKind::DeviceFailed, message);
    }

    const CublasLibrary* library_;
    std::string device_;
    Handle handle_{nullptr, nullptr};
};

} // namespace assay::cuda
