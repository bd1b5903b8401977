#pragma once

#include "engine/data/matrix_view.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace assay {

/// The inner loops that every distance goes through, compiled for several instruction sets. Every variant returns the
/// same bits: the order of summation is part of the definition, and nothing is contracted into fused multiply-adds.
struct Kernels {
    /// Squared Euclidean distance of two float32 rows: double-precision differences, squared and summed in 32 lanes
    /// (element i goes to lane i mod 32), the lanes then added pairwise: l and l + 16, l + 8, l + 4, l + 2, l + 1.
    double (*squaredDistance)(const float* x, const float* y, std::size_t dim);

    /// The same from one row to several rows of a set, each asked for while the one before it is measured: rows that
    /// lie anywhere in a large set would otherwise each begin with a wait for memory.
    /// @param x a row of base.dim floats
    /// @param rows numbers of rows of `base`
    /// @param squared takes a result for each of them
    void (*squaredDistances)(const float* x, MatrixView base, std::span<const std::uint32_t> rows, double* squared);
};

/// The variant for the best instruction set that this processor has.
const Kernels& kernels();

/// Euclidean distance by definition: the root of the double-precision direct sum over the stored rows.
double directDistance(MatrixView a, std::size_t rowA, MatrixView b, std::size_t rowB);

/// The name that Highway gives that instruction set.
const char* instructionSet();

} // namespace assay
