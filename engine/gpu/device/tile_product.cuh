#pragma once

// The product of one tile of rows, in bfloat16 on the tensor cores: a multi-stage pipeline of asynchronous copies into
// permuted shared memory, ldmatrix and mma.sync.m16n8k16.

#include "engine/gpu/device/device_code.cuh"

#include <cstddef>
#include <cstdint>

namespace assay::cuda::tile {

constexpr int kRows = 128;    ///< of x per tile
constexpr int kColumns = 256; ///< rows of y per tile
constexpr int kDepth = 32;    ///< columns of both that a stage holds
constexpr int kStages = 4;
constexpr int kThreads = 256; ///< eight warps, two by four, of 64 x 64 products each
constexpr int kStageBytes = (kRows + kColumns) * kDepth * 2;
/// 96 KiB: the least that cards with these instructions offer.
constexpr int kSharedBytes = kStages * kStageBytes;

constexpr int kTilesM = 4; ///< 16-row fragments of a warp's products
constexpr int kTilesN = 8; ///< 8-column fragments

/// A warp's 64 x 64 products in the layout of the fragments: see rowOf() and columnOf().
struct Products {
    float value[kTilesM][kTilesN][4];
};

/// Row and column in the tile of an element of a thread's products.
__device__ inline int rowOf(int m, int element) {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    return (warp / 4) * 64 + m * 16 + lane / 4 + (element >= 2 ? 8 : 0);
}
__device__ inline int columnOf(int n, int element) {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    return (warp % 4) * 64 + n * 8 + (lane % 4) * 2 + (element & 1);
}

/// Offset of a 16-byte chunk in a stage. Two rows of 64 bytes share a line of 128; chunks are permuted so that eight
/// rows' chunks of the same columns, which one ldmatrix reads together, lie in different banks.
__device__ inline unsigned chunkOffset(int row, int chunk) {
    return static_cast<unsigned>((row >> 1) * 128 + (((row & 1) << 2) + (chunk ^ ((row >> 1) & 3))) * 16);
}

/// A thread's share of the copies: chunks of rows that are 64 apart, whose places differ by a constant.
struct Copier {
    static constexpr int kChunks = kDepth / 8;
    static constexpr int kRowsApart = kThreads / kChunks;

    const unsigned char* x; ///< the thread's chunk of its first row, in the columns to be copied next
    const unsigned char* y;
    std::size_t pitch; ///< bytes from one of its rows to the next
    unsigned place;    ///< of its first chunk in a stage

    __device__ static Copier of(const std::uint16_t* x, const std::uint16_t* y, std::size_t paddedDim) {
        const int row = static_cast<int>(threadIdx.x) / kChunks;
        const int chunk = static_cast<int>(threadIdx.x) % kChunks;
        const std::size_t offset = row * paddedDim + chunk * 8;
        return {reinterpret_cast<const unsigned char*>(x + offset), reinterpret_cast<const unsigned char*>(y + offset),
                kRowsApart * paddedDim * sizeof(std::uint16_t), chunkOffset(row, chunk)};
    }

    /// Copies one stage, 32 columns of the tile's rows of x and of y, and goes on to the next columns.
    __device__ void copy(unsigned stage) {
        constexpr unsigned kApart = kRowsApart * kDepth * 2;
#pragma unroll
        for (int i = 0; i < kRows / kRowsApart; ++i)
            copyChunk(stage + place + i * kApart, x + i * pitch);
#pragma unroll
        for (int i = 0; i < kColumns / kRowsApart; ++i)
            copyChunk(stage + kRows * kDepth * 2 + place + i * kApart, y + i * pitch);
        x += kDepth * 2;
        y += kDepth * 2;
    }
};

/// A warp's factors in one step of 16 columns.
struct Fragments {
    unsigned a[kTilesM][4];
    unsigned b[kTilesN / 2][4];
};

/// Offsets of a thread's fragments in a stage, for the first of its two steps of 16 columns. Those of the second step are two
/// chunks further, an exclusive or because of the permutation.
struct FragmentPlaces {
    unsigned a, b;

    __device__ static FragmentPlaces here() {
        const int warp = static_cast<int>(threadIdx.x) / 32;
        const int lane = static_cast<int>(threadIdx.x) % 32;
        // Matrices of a: rows 0-7 and 8-15 of the low columns, then of the high ones. Of b: low and high columns of
        // rows 0-7, then of rows 8-15.
        return {chunkOffset((warp / 4) * 64 + lane % 16, lane / 16),
                kRows * kDepth * 2 + chunkOffset((warp % 4) * 64 + (lane / 16) * 8 + lane % 8, (lane / 8) % 2)};
    }
};

/// Loads the fragments of one of a stage's two steps.
__device__ inline void loadFragments(Fragments& to, const FragmentPlaces& places, unsigned stage, unsigned step) {
    constexpr unsigned kTwoChunks = 32;
    const unsigned a = stage + (places.a ^ (step * kTwoChunks));
    const unsigned b = stage + (places.b ^ (step * kTwoChunks));
#pragma unroll
    for (int m = 0; m < kTilesM; ++m)
        loadMatrices(to.a[m], a + static_cast<unsigned>(m) * 16 * kDepth * 2);
#pragma unroll
    for (int n = 0; n < kTilesN / 2; ++n)
        loadMatrices(to.b[n], b + static_cast<unsigned>(n) * 16 * kDepth * 2);
}

__device__ inline void multiply(Products& sums, const Fragments& of) {
#pragma unroll
    for (int m = 0; m < kTilesM; ++m)
#pragma unroll
        for (int n = 0; n < kTilesN; ++n)
            multiplyAdd(sums.value[m][n], of.a[m], of.b[n / 2][(n % 2) * 2], of.b[n / 2][(n % 2) * 2 + 1]);
}

/// Computes all products of a tile. The shared memory is free for other use afterwards.
/// @param shared kSharedBytes, aligned to 128
/// @param x, y first rows of the tile; the rows of a tile can be read to their end
/// @param paddedDim multiple of kDepth
__device__ inline void product(Products& sums, unsigned char* shared, const std::uint16_t* x, const std::uint16_t* y,
                               std::size_t paddedDim) {
    const unsigned base = sharedAddress(shared);
    const int rounds = static_cast<int>(paddedDim / kDepth);
    const FragmentPlaces places = FragmentPlaces::here();
    Copier copier = Copier::of(x, y, paddedDim);
#pragma unroll
    for (int m = 0; m < kTilesM; ++m)
#pragma unroll
        for (int n = 0; n < kTilesN; ++n)
#pragma unroll
            for (int e = 0; e < 4; ++e)
                sums.value[m][n][e] = 0.0F;
#pragma unroll
    for (int s = 0; s < kStages - 1; ++s) {
        if (s < rounds)
            copier.copy(base + s * kStageBytes);
        closeGroup();
    }
    waitForGroups<kStages - 2>();
    __syncthreads();
    Fragments even;
    Fragments odd;
    loadFragments(even, places, base, 0);
    unsigned stage = base;
    unsigned filled = base + (kStages - 1) * kStageBytes;
    const unsigned end = base + kStages * kStageBytes;
    for (int round = 0; round < rounds; ++round) {
        loadFragments(odd, places, stage, 1);
        // Into the stage of the previous round, which all threads have read: they passed its barrier.
        if (round + kStages - 1 < rounds)
            copier.copy(filled);
        closeGroup(); // also an empty group, which keeps the count of groups right
        filled = filled + kStageBytes == end ? base : filled + kStageBytes;
        multiply(sums, even);
        waitForGroups<kStages - 2>();
        __syncthreads();
        stage = stage + kStageBytes == end ? base : stage + kStageBytes;
        if (round + 1 < rounds)
            loadFragments(even, places, stage, 0);
        multiply(sums, odd);
    }
    waitForGroups<0>();
    __syncthreads();
}

/// The tile of a thread block. Thread blocks run roughly in the order of their numbers: 16 rows of tiles advance through the
/// columns together, so that the values they read stay in the L2 cache.
struct Place {
    unsigned row, column;
};
__device__ inline Place placeOf(unsigned block, unsigned tileRows, unsigned tileColumns) {
    constexpr unsigned kGroup = 16;
    const unsigned group = block / (kGroup * tileColumns);
    const unsigned first = group * kGroup;
    const unsigned rows = tileRows - first < kGroup ? tileRows - first : kGroup;
    const unsigned within = block - first * tileColumns;
    return {first + within % rows, within / rows};
}

} // namespace assay::cuda::tile
