#include "engine/io/files/refusal.h"

#include "engine/base/error.h"
#include "engine/io/files/text_encoding.h"

namespace assay {

void refuse(const std::string& where, const std::string& expected, const std::string& found) {
    throw Error(ErrorKind::BadInput, utf8OrEscaped(where + ": expected " + expected + ", found " + found));
}

std::string placeOf(const std::string& file, const std::string& key) {
    return key.empty() ? file : file + ": '" + printable(key) + "'";
}

void requireNoKey(const std::string& file, const std::string& key, const std::string& kind) {
    if (!key.empty())
        refuse(file, "an archive with a key '" + printable(key) + "'", kind);
}

std::string printable(std::string_view text, std::size_t limit) {
    std::string result;
    for (const char c : utf8OrEscaped(text)) {
        const auto byte = static_cast<unsigned char>(c);
        // Cuts only before the start of a code point.
        if (result.size() >= limit && (byte & 0xC0) != 0x80)
            return result + "...";
        const bool shown = byte >= 0x20 && byte != 0x7F;
        result.push_back(shown ? c : '?');
    }
    return result;
}

} // namespace assay
