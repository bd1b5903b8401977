#include "engine/store/stored_texts.h"

#include "engine/store/stored_values.h"

#include <cstddef>
#include <cstdint>

namespace assay::store {

void writeTexts(ValueWriter& values, const std::string& path, const std::vector<std::string>& texts) {
    std::vector<std::uint8_t> text;
    std::vector<std::uint64_t> end;
    for (const std::string& one : texts) {
        text.insert(text.end(), one.begin(), one.end());
        end.push_back(text.size());
    }
    values.array(path + "/text", text);
    values.array(path + "/end", end);
}

std::vector<std::string> readTexts(ValueReader& values, const std::string& path) {
    std::vector<std::uint8_t> text;
    std::vector<std::uint64_t> end;
    values.array(path + "/text", text);
    values.array(path + "/end", end);
    std::vector<std::string> texts;
    std::uint64_t begin = 0;
    for (const std::uint64_t one : end) {
        if (one < begin || one > text.size())
            values.refuse(path, "expected ends of texts in order, found " + std::to_string(one));
        texts.emplace_back(text.begin() + static_cast<std::ptrdiff_t>(begin),
                           text.begin() + static_cast<std::ptrdiff_t>(one));
        begin = one;
    }
    return texts;
}

} // namespace assay::store
