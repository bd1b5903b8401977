#pragma once

#include "engine/data/preparation.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

/// The text without surrounding blanks.
std::string_view trimmed(std::string_view text);

/// Parses a decimal number and rounds it to the nearest double. Infinite beyond the range of double.
/// @return empty when the text is not a number; "nan" is not a number here
std::optional<double> numberOf(std::string_view text);

/// The float32 nearest to the number in `text`. @param wide result of numberOf() for the text
float nearestFloat(std::string_view text, double wide);

/// 1 for "true", 0 for "false", in upper or lower case; empty for other texts.
std::optional<double> truthOf(std::string_view text);

/// Whether a field denotes a missing value: empty, "nan", "na", "n/a", "null", "none", ...
bool isAbsent(std::string_view text);

/// Whether a field denotes a missing or an infinite value.
bool isMissing(std::string_view text);

/// Infinity with its sign for "inf", "-Infinity", ...; empty for other texts.
std::optional<float> infinityOf(std::string_view text);

/// Whether digits are grouped by commas, such as "1,234" or "12,345.6".
bool isGrouped(std::string_view text);

/// Advice for a field that people read as a number and this program does not: a percentage, or digits grouped by
/// separators. Empty for other texts.
/// @param text as in the file
std::string numberAdvice(std::string_view text);

/// Set of DateOrder values, one bit each.
using DateOrders = std::uint8_t;
inline constexpr DateOrders kAnyDateOrder = 7;
constexpr DateOrders only(DateOrder order) {
    return static_cast<DateOrders>(1U << static_cast<unsigned>(order));
}

/// The orders by which a text is a date or a time; 0 when it is none. A text whose order shows, such as "2021-10-01",
/// "1 Oct 2021" or "12:30", has every order, or the only one by which it is valid.
///
/// Dates: "2021-10-01", "2021/10/01", "2021-10", "01.10.2021", "10/01/2021", "1 Oct 2021", "Oct 1, 2021". After a date,
/// behind a blank or T, or alone: a time "12:30", "12:30:15.5", "12:30 PM", with or without "Z", "UTC" or "+02:00".
DateOrders dateOrdersOf(std::string_view text);

/// Days since 1970-01-01 in UTC; of a time alone, since midnight. A time without a zone counts as UTC.
/// @return empty when the text is no date in this order
std::optional<double> daysOf(std::string_view text, DateOrder order);

/// A day as text: "2021-10-01", with the time when it is not midnight. @param days as from daysOf()
std::string dateText(double days);

} // namespace assay
