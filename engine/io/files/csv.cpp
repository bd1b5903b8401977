#include "engine/io/files/csv.h"

#include <charconv>

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

} // namespace assay
