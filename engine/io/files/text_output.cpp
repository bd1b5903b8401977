#include "engine/io/files/text_output.h"

#include "engine/base/error.h"
#include "engine/io/files/text_encoding.h"

#include <cerrno>
#include <charconv>
#include <cstdio>

namespace assay {
namespace {

/// Whether a spreadsheet would run the text as a formula. Signed numbers begin with these characters, too, but are no
/// formulas.
bool isFormula(std::string_view text) {
    if (text.empty() || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos)
        return false;
    double number = 0.0;
    const char* end = text.data() + text.size();
    const char* first = text.data() + (text.front() == '+' ? 1 : 0);
    return std::from_chars(first, end, number).ptr != end || first == end;
}

} // namespace

void appendCsvField(std::string& line, std::string_view text) {
    const bool formula = isFormula(text);
    if (!formula && text.find_first_of(",\"\r\n") == std::string_view::npos) {
        line += text;
        return;
    }
    line += '"';
    if (formula)
        line += '\'';
    for (const char c : text) {
        if (c == '"')
            line += '"';
        line += c;
    }
    line += '"';
}

void printText(std::string_view text) {
    if (std::fputs(withoutControls(text, LineEnds::Kept).c_str(), stdout) < 0 || std::fflush(stdout) != 0 ||
        std::ferror(stdout) != 0)
        throw Error(ErrorKind::WriteFailed, errno == EPIPE
                                                ? "standard output: expected someone who reads it, found it closed"
                                                : "standard output: expected room to write, found none");
}

void printMessage(std::string_view program, std::string_view message) {
    std::string line(program);
    line.append(": ").append(withoutControls(message, LineEnds::Replaced)).append("\n");
    std::fputs(line.c_str(), stderr);
}

} // namespace assay
