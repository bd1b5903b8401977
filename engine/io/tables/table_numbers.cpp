#include "engine/io/tables/table_numbers.h"

#include "engine/io/tables/table_columns.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <system_error>

namespace assay {
namespace {

std::string_view withoutPlus(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+'))
        text.remove_prefix(1);
    return text;
}

/// Value of a number beyond the range of double: zero when it is too small, infinite when it is too large.
double beyondRange(std::string_view text) {
    const std::size_t exponent = text.find_first_of("eE");
    const bool small = exponent != std::string_view::npos ? text.substr(exponent).find('-') != std::string_view::npos
                                                          : text.find_first_of("123456789") > text.find('.');
    return small ? 0.0 : std::numeric_limits<double>::infinity();
}

} // namespace

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::optional<double> numberOf(std::string_view text) {
    text = withoutPlus(text);
    const char* end = text.data() + text.size();
    double value = 0.0;
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    if (text.empty() || stop != end)
        return std::nullopt;
    if (code == std::errc::result_out_of_range)
        return beyondRange(text);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

float nearestFloat(std::string_view text, double wide) {
    // Rounding to double and then to float32 differs from direct rounding only when the double is halfway between two
    // float32.
    constexpr std::uint64_t kBeyondFloat = (std::uint64_t{1} << 29U) - 1;
    constexpr std::uint64_t kHalfway = std::uint64_t{1} << 28U;
    const bool plain = (std::bit_cast<std::uint64_t>(wide) & kBeyondFloat) != kHalfway &&
                       (std::abs(wide) >= static_cast<double>(std::numeric_limits<float>::min()) || wide == 0.0);
    if (plain)
        return static_cast<float>(wide);
    text = withoutPlus(text);
    float value = 0.0F;
    const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() ? value : static_cast<float>(wide);
}

bool isMissing(std::string_view text) {
    constexpr std::array<std::string_view, 10> kWords{"",     "nan", "na",       "n/a",  "null",
                                                      "none", "inf", "infinity", "-inf", "-infinity"};
    return std::ranges::find(kWords, lowerCase(text)) != kWords.end();
}

} // namespace assay
