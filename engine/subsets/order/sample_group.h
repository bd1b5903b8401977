#pragma once

#include <cstddef>
#include <cstdint>

namespace assay {

/// Samples of a listing that belong together, one after another.
struct SampleGroup {
    std::uint32_t key; ///< verdict as a number, class code, or row of the nearest sample of the other set
    std::size_t first; ///< position of its best-ranked sample
    std::size_t count; ///< above zero
};

} // namespace assay
