#pragma once

#include "engine/gpu/search/plan.h"

#include <cstddef>

namespace assay::cuda {

/// Device memory of one set's blocks and sample.
struct SetPlace {
    float* rows = nullptr;        ///< slots x blockRows x dim
    std::byte* operand = nullptr; ///< slots x blockRows x padded columns
    SampledRows sample;           ///< none where the other set has no lists
    float* sampleRows = nullptr;  ///< the sampled rows as stored
    std::uint32_t* savedCounters = nullptr;
};

/// All device memory of a pass, divided from one allocation.
struct PassMemory {
    SetState x, y; ///< y is x itself in a pass within one set
    SetPlace placeX, placeY;
    float* centre = nullptr;
    void* products = nullptr; ///< plan.productValues; bounds of sampled pairs, too
    UndecidedPair* undecided = nullptr;
    Report* report = nullptr;
    std::size_t bytes = 0;

    /// @param base the memory, aligned to 256 bytes; null to compute `bytes` alone
    static PassMemory carve(const PassShape& shape, const PassPlan& plan, std::byte* base);
};

} // namespace assay::cuda
