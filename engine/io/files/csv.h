#pragma once

#include <string>
#include <string_view>

namespace assay {

/// Appends one field to a line of CSV. Quotes it as in RFC 4180 when it contains a comma, a quote or a line end. Puts
/// an apostrophe before text that a spreadsheet would run as a formula (text that starts with = + - @, tab or carriage
/// return and is not a number).
void appendCsvField(std::string& line, std::string_view text);

} // namespace assay
