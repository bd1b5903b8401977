#include "engine/data/brief_text.h"

#include <string_view>

namespace assay {
namespace {

constexpr std::string_view kEllipsis = "\xE2\x80\xA6";

/// Whether a byte goes on with the character of the byte before it.
bool goesOn(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

} // namespace

std::string briefText(const std::string& text, std::size_t most) {
    if (text.size() <= most || most < kEllipsis.size())
        return text;
    std::size_t first = (most - kEllipsis.size()) / 2;
    std::size_t last = text.size() - first;
    while (first > 0 && goesOn(text[first]))
        --first;
    while (last < text.size() && goesOn(text[last]))
        ++last;
    return text.substr(0, first).append(kEllipsis).append(text, last);
}

} // namespace assay
