#pragma once

#include <cstddef>
#include <cstdint>

namespace assay {

/// The inner loops that every distance goes through, compiled for several instruction sets. Every variant returns the
/// same bits: the order of summation is part of the definition, and nothing is contracted into fused multiply-adds.
struct Kernels {
    /// Squared Euclidean distance of two float32 rows: double-precision differences, squared and summed in 32 lanes
    /// (element i goes to lane i mod 32), the lanes then added pairwise: l and l + 16, l + 8, l + 4, l + 2, l + 1.
    double (*squaredDistance)(const float* x, const float* y, std::size_t dim);

    /// The same from one row to several rows of a set, each asked for while the one before it is measured: rows that
    /// lie anywhere in a large set would otherwise each begin with a wait for memory.
    /// @param base first element of the set's row 0; its rows are `dim` floats long
    /// @param rows `count` row numbers
    /// @param squared takes `count` results
    void (*squaredDistances)(const float* x, const float* base, std::size_t dim, const std::uint32_t* rows,
                             std::size_t count, double* squared);
};

/// The variant for the best instruction set that this processor has.
const Kernels& kernels();

/// The name that Highway gives that instruction set.
const char* instructionSet();

} // namespace assay
