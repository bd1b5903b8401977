#pragma once

#include <string>
#include <string_view>

namespace assay {

/// Appends one field to a line of CSV, quoted as in RFC 4180 where a comma, a quote or a line end would be misread.
/// Text that a spreadsheet would run as a formula (it begins with = + - @ and is no number) gets an apostrophe in
/// front.
void appendCsvField(std::string& line, std::string_view text);

} // namespace assay
