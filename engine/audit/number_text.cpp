#include "engine/audit/number_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace assay {

std::string numberText(double value) {
    std::array<char, 32> text{};
    constexpr double kExactIntegers = 9007199254740992.0; // 2^53
    // The shortest form of 100000 is "1e+05", which readers of row numbers do not expect.
    const bool whole = std::abs(value) < kExactIntegers && value == std::trunc(value);
    const auto end = whole ? std::to_chars(text.begin(), text.end(), static_cast<std::int64_t>(value))
                           : std::to_chars(text.begin(), text.end(), value);
    return {text.data(), end.ptr};
}

} // namespace assay
