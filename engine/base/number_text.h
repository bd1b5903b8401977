#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

/// A number as text that reads back to the same double, independent of the locale: whole numbers below 2^53 without an
/// exponent ("100000"), other numbers in the shortest form ("0.1", "1e-12"), and "nan", "inf", "-inf".
std::string numberText(double value);

/// A share in [0, 1] as a percentage for people: two significant digits below ten percent, whole percent above: "0.31
/// %", "12 %". "< 0.001 %" for smaller positive shares.
std::string percentText(double share);

/// Text for people with three significant digits; whole numbers from 100 on: "0.120", "3.42", "1234".
std::string roundedText(double value);

/// A count with a comma after every three digits: "12,345".
std::string countText(std::size_t count);

/// A count with its noun: "1 model", "3 models".
std::string counted(std::size_t count, std::string_view one, std::string_view many);

} // namespace assay
