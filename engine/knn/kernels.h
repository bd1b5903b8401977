#pragma once

#include <cstddef>
#include <cstdint>

namespace assay {

/// The inner loops that depend on the instruction set. Every variant returns the same bits: the order of summation is
/// part of the definition, and nothing is contracted into fused multiply-adds.
struct Kernels {
    /// Squared Euclidean distance of two float32 rows: double-precision differences, squared and summed in 32 lanes
    /// (element i goes to lane i mod 32), the lanes then added pairwise: l and l + 16, l + 8, l + 4, l + 2, l + 1.
    double (*squaredDistance)(const float* x, const float* y, std::size_t dim);

    /// Columns j of one tile row whose lower bound (product[j] + columnTerm[j]) + rowTerm is <= rowLimit or
    /// <= columnLimit[j], in ascending order.
    /// @param hits room for `columns` entries
    /// @return number of hits
    std::size_t (*collectBelow)(const float* product, std::size_t columns, float rowTerm, const float* columnTerm,
                                float rowLimit, const float* columnLimit, std::uint32_t* hits);

    /// How many values are <= bound. NaN is not.
    std::size_t (*countAtMost)(const float* values, std::size_t count, float bound);

    const char* name;
};

/// The best variant for this processor, chosen once.
const Kernels& kernels();

extern const Kernels kGenericKernels;
extern const Kernels kAvx2Kernels;   ///< only to be called where the processor has AVX2
extern const Kernels kAvx512Kernels; ///< only to be called where the processor has AVX-512 F, VL, BW and DQ

} // namespace assay
