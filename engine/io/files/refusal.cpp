#include "engine/io/files/refusal.h"

#include "engine/base/error.h"
#include "engine/io/files/text_encoding.h"

namespace assay {

void refuse(const std::string& where, const std::string& expected, const std::string& found) {
    throw Error(ErrorKind::BadInput, withoutControls(where + ": expected " + expected + ", found " + found));
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
    for (const char c : withoutControls(text)) {
        // Cuts only before the start of a code point.
        if (result.size() >= limit && (static_cast<unsigned char>(c) & 0xC0) != 0x80)
            return result + "...";
        result.push_back(c);
    }
    return result;
}

std::string inQuotes(std::string_view text, std::size_t limit) {
    return "'" + printable(text, limit) + "'";
}

} // namespace assay
