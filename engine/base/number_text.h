#pragma once

#include <string>

namespace assay {

/// A number as text that reads back to the same double, whatever the locale: whole numbers below 2^53 without an
/// exponent ("100000"), anything else in the shortest form ("0.1", "1e-12"), and "nan", "inf", "-inf".
std::string numberText(double value);

/// A share for people: two digits below ten percent, none above: "0.31 %", "12 %"; "< 0.001 %" for next to nothing.
std::string percentText(double share);

/// Three significant digits for people, whole numbers from 100 on: "0.120", "3.42", "1234".
std::string roundedText(double value);

} // namespace assay
