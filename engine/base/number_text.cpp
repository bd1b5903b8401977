#include "engine/base/number_text.h"

#include <fmt/format.h>

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

std::string percentText(double share) {
    const double value = 100.0 * share;
    if (value > 0.0 && value < 0.001) // a rounding residue would look like a real share
        return "< 0.001 %";
    if (value >= 99.5 && value < 100.0) // no part of some reads as all
        return value < 99.95 ? fmt::format("{:.1f} %", value) : "> 99.9 %";
    return value < 9.95 ? fmt::format("{:.2g} %", value) : fmt::format("{:.0f} %", value);
}

std::string roundedText(double value) {
    if (value == 0.0)
        return "0";
    return std::abs(value) >= 99.95 ? fmt::format("{:.0f}", value) : fmt::format("{:#.3g}", value);
}

std::string countText(std::size_t count) {
    std::string digits = std::to_string(count);
    for (std::size_t end = digits.size(); end > 3; end -= 3)
        digits.insert(end - 3, ",");
    return digits;
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

} // namespace assay
