#include "engine/io/tables/table_numbers.h"

#include "engine/io/tables/table_columns.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>

namespace assay {
namespace {

std::string_view withoutPlus(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+'))
        text.remove_prefix(1);
    return text;
}

bool areDigits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Whether a text has digits and, beside them, only what separates and signs them.
bool looksNumeric(std::string_view text) {
    constexpr std::string_view kParts = "0123456789+-.,' _\xc2\xa0\xe2\x80\xaf"; // with no-break spaces
    return text.find_first_of("0123456789") != std::string_view::npos &&
           text.find_first_not_of(kParts) == std::string_view::npos;
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

std::optional<double> truthOf(std::string_view text) {
    const std::string word = trimmed(text).size() > 5 ? std::string() : lowerCase(text);
    return word == "true" ? std::optional(1.0) : word == "false" ? std::optional(0.0) : std::nullopt;
}

bool isAbsent(std::string_view text) {
    constexpr std::array<std::string_view, 10> kWords{"",     "nan", "na",   "n/a",  "null",
                                                      "none", "nat", "<na>", "#n/a", "-nan"};
    return trimmed(text).size() <= 4 && std::ranges::find(kWords, lowerCase(text)) != kWords.end();
}

std::optional<float> infinityOf(std::string_view text) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const std::string word = lowerCase(withoutPlus(text));
    if (word == "inf" || word == "infinity")
        return kInfinity;
    return word == "-inf" || word == "-infinity" ? std::optional(-kInfinity) : std::nullopt;
}

bool isMissing(std::string_view text) {
    return isAbsent(text) || infinityOf(text).has_value();
}

bool isGrouped(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('-') || text.starts_with('+'))
        text.remove_prefix(1);
    const std::size_t end = std::min(text.size(), text.find('.'));
    if (end < text.size() && (end + 1 == text.size() || !areDigits(text.substr(end + 1))))
        return false;
    text = text.substr(0, end);
    const std::size_t first = text.find(',');
    if (first == std::string_view::npos || first == 0 || first > 3 || text.front() == '0')
        return false;
    for (std::size_t at = first; at < text.size(); at += 4)
        if (text[at] != ',' || text.size() - at < 4 || !areDigits(text.substr(at + 1, 3)))
            return false;
    return areDigits(text.substr(0, first));
}

std::string numberAdvice(std::string_view text) {
    text = trimmed(text);
    if (text.size() > 1 && (text.back() == '%' || text.front() == '%')) {
        const std::string_view number = trimmed(text.back() == '%' ? text.substr(0, text.size() - 1) : text.substr(1));
        if (looksNumeric(number))
            return "which is a percentage; write the number without the percent sign, such as 12.5 or 0.125";
    }
    if (!looksNumeric(text))
        return {};
    if (const auto comma = text.find(','), point = text.find('.');
        comma != std::string_view::npos || point != std::string_view::npos || text.find_first_of(" '_") != text.npos ||
        text.find("\xc2\xa0") != text.npos || text.find("\xe2\x80\xaf") != text.npos) {
        const bool one = (comma == std::string_view::npos) != (point == std::string_view::npos) &&
                         std::ranges::count(text, comma != std::string_view::npos ? ',' : '.') == 1;
        if (one && !isGrouped(text) && text.find_first_of(" '_") == text.npos)
            return "which has another decimal sign than the table; write all numbers alike, such as 1234.5";
        return "which has thousands separators, or may have; write it without them, such as 1234.5";
    }
    return {};
}

} // namespace assay
