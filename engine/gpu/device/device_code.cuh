#pragma once

// Code that only the CUDA compiler accepts: launches, shared memory and inline PTX (cp.async, ldmatrix,
// mma.sync.m16n8k16). Tests replace this header by functions of the same names and run the kernels on the host
// (tests/cuda/simulated).

#include <cuda_runtime.h>

/// kernel<<<...>>>(arguments)
#define ASSAY_LAUNCH(kernel, blocks, threads, sharedBytes, stream, ...)                                                \
    kernel<<<blocks, threads, sharedBytes, stream>>>(__VA_ARGS__)
/// The shared memory that a launch asks for, as bytes.
#define ASSAY_SHARED_BYTES(name) extern __shared__ __align__(128) unsigned char name[]

namespace assay::cuda {

/// An address in shared memory, as PTX instructions take it.
__device__ inline unsigned sharedAddress(const void* memory) {
    return static_cast<unsigned>(__cvta_generic_to_shared(memory));
}

/// Starts an asynchronous copy of 16 bytes to shared memory.
__device__ inline void copyChunk(unsigned shared, const void* global) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(shared), "l"(global) : "memory");
}
/// Ends a group of copies.
__device__ inline void closeGroup() {
    asm volatile("cp.async.commit_group;\n" ::: "memory");
}
/// Waits until at most kPending of this thread's groups are unfinished.
template <int kPending>
__device__ inline void waitForGroups() {
    asm volatile("cp.async.wait_group %0;\n" ::"n"(kPending) : "memory");
}

/// Loads four 8 x 8 matrices of 16-bit elements. Lane l passes the address of row l % 8 of matrix l / 8, and receives
/// elements 2 (l % 4) and the next of row l / 4 of each.
__device__ inline void loadMatrices(unsigned (&to)[4], unsigned shared) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(shared)
                 : "memory");
}

/// Adds the product of 16 x 16 by 16 x 8 bfloat16 to 16 x 8 floats.
__device__ inline void multiplyAdd(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};\n"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

} // namespace assay::cuda
