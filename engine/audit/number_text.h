#pragma once

#include <string>

namespace assay {

/// A number as text that reads back to the same double, whatever the locale: whole numbers below 2^53 without an
/// exponent ("100000"), anything else in the shortest form ("0.1", "1e-12"), and "nan", "inf", "-inf".
std::string numberText(double value);

} // namespace assay
