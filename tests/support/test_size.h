#pragma once

#include <cstdlib>
#include <string_view>

namespace assay::test {

/// Whether tests are to take small sizes where they have two: under sanitizers, which make everything many times slower
/// and look for faults that show at any size. ASSAY_TEST_SIZES=small or full in the environment decides otherwise.
inline bool takesSmallSizes() {
    if (const char* wanted = std::getenv("ASSAY_TEST_SIZES"))
        return std::string_view(wanted) == "small";
#ifdef ASSAY_SMALL_TEST_SIZES
    return true;
#else
    return false;
#endif
}

/// `full`, or `small` where tests are to take small sizes.
template <typename T>
T sized(T full, T small) {
    return takesSmallSizes() ? small : full;
}

} // namespace assay::test
