#pragma once

#include <cstdint>

namespace assay {

/// A row that may be among a query's k nearest.
struct Candidate {
    float estimate;      ///< of its squared distance, from a product
    std::uint32_t index; ///< number of the row
};

} // namespace assay
