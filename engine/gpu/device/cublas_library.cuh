#pragma once

// cuBLAS, found when a card is opened and not when the program starts: without it, audits run on the CPU. Tests replace
// this header (tests/cuda/simulated).

#include <cublas_v2.h>
#include <dlfcn.h>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace assay::cuda {

/// The functions of cuBLAS that are called.
struct CublasLibrary {
    cublasStatus_t (*create)(cublasHandle_t*) = nullptr;
    cublasStatus_t (*destroy)(cublasHandle_t) = nullptr;
    cublasStatus_t (*setStream)(cublasHandle_t, cudaStream_t) = nullptr;
    cublasStatus_t (*multiply)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*,
                               const void*, cudaDataType, int, const void*, cudaDataType, int, const void*, void*,
                               cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t) = nullptr;
    const char* (*statusText)(cublasStatus_t) = nullptr;

    /// The file's name: the version that the program was compiled for.
    static std::string fileName() { return "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR); }

    /// Loaded once and kept to the end of the program. Null where the system finds no such file, or one that lacks a
    /// function.
    static const CublasLibrary* load() {
        static const std::unique_ptr<const CublasLibrary> library = open();
        return library.get();
    }

private:
    static std::unique_ptr<const CublasLibrary> open() {
        void* file = dlopen(fileName().c_str(), RTLD_NOW | RTLD_LOCAL);
        if (file == nullptr) // where it was when the program was compiled
            file = dlopen((std::string(ASSAY_CUBLAS_FOLDER) + "/" + fileName()).c_str(), RTLD_NOW | RTLD_LOCAL);
        if (file == nullptr)
            return nullptr;
        auto library = std::make_unique<CublasLibrary>();
        const auto find = [file](auto& function, const char* name) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(file, name));
            return function != nullptr;
        };
        const bool all = find(library->create, "cublasCreate_v2") && find(library->destroy, "cublasDestroy_v2") &&
                         find(library->setStream, "cublasSetStream_v2") && find(library->multiply, "cublasGemmEx") &&
                         find(library->statusText, "cublasGetStatusString");
        return all ? std::move(library) : nullptr;
    }
};

} // namespace assay::cuda
