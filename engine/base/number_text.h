#pragma once

#include <string>

namespace assay {

/// A number as text that reads back to the same double, independent of the locale: whole numbers below 2^53 without an
/// exponent ("100000"), other numbers in the shortest form ("0.1", "1e-12"), and "nan", "inf", "-inf".
std::string numberText(double value);

/// A share in [0, 1] as a percentage for people: two significant digits below ten percent, whole percent above: "0.31
/// %", "12 %". "< 0.001 %" for smaller positive shares.
std::string percentText(double share);

/// Text for people with three significant digits; whole numbers from 100 on: "0.120", "3.42", "1234".
std::string roundedText(double value);

} // namespace assay
