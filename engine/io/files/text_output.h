#pragma once

#include <string>
#include <string_view>

namespace assay {

/// Appends one field to a line of CSV. Quotes it as in RFC 4180 when it contains a comma, a quote or a line end. Puts
/// an apostrophe before text that a spreadsheet would run as a formula (text that starts with = + - @, tab or carriage
/// return and is not a number).
void appendCsvField(std::string& line, std::string_view text);

// Output of programs; characters that a terminal would obey are shown as `?` (withoutControls()).

/// Prints text of one or more lines to standard output at once.
/// @throws Error{WriteFailed} when it cannot be written
void printText(std::string_view text);

/// Prints `program: message` to standard error as one line.
void printMessage(std::string_view program, std::string_view message);

} // namespace assay
