#pragma once

#include <string>
#include <string_view>

namespace assay {

// Output of programs; characters that a terminal would obey are shown as `?` (withoutControls()).

/// Prints text of one or more lines to standard output at once.
/// @throws Error{WriteFailed} when it cannot be written
void printText(std::string_view text);

/// Prints `program: message` to standard error as one line.
void printMessage(std::string_view program, std::string_view message);

} // namespace assay
