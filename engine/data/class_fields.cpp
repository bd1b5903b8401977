#include "engine/base/number_text.h"
#include "engine/data/embedding_set.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>

namespace assay {
namespace {

std::string_view withoutBlanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// As pandas reads them, but for "none", which is a class where it is written in lower case.
bool isMissingLabel(std::string_view text) {
    constexpr std::array<std::string_view, 12> kWords{"",     "NA",   "N/A",  "n/a",  "NaN",  "nan",
                                                      "-nan", "NULL", "null", "None", "<NA>", "NaT"};
    return std::ranges::find(kWords, text) != kWords.end();
}

std::optional<std::string> truthText(std::string_view text) {
    for (const auto& [word, number] : {std::pair<std::string_view, const char*>("true", "1"), {"false", "0"}})
        if (std::ranges::equal(text, word, [](unsigned char a, char b) { return std::tolower(a) == b; }))
            return number;
    return std::nullopt;
}

/// "1" for "1.0", "+1" and "1e0"; numbers that are written plainly, such as "007", stay as they are.
std::string classText(std::string_view text) {
    const bool isSigned = text.starts_with('+');
    if (!isSigned && text.find_first_of(".eE") == std::string_view::npos)
        return std::string(text);
    const std::string_view number = text.substr(isSigned ? 1 : 0);
    double value = 0.0;
    const auto [end, failure] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (failure != std::errc() || end != number.data() + number.size() || !std::isfinite(value))
        return std::string(text);
    constexpr double kExact = 9007199254740992.0;
    if (value == std::floor(value) && std::abs(value) < kExact)
        return std::to_string(static_cast<long long>(value));
    return numberText(value);
}

} // namespace

ClassLabels labelsFromFields(std::vector<std::string> fields) {
    bool truths = true;
    bool any = false;
    for (std::string& field : fields) {
        const std::string_view text = withoutBlanks(field);
        field = isMissingLabel(text) ? std::string() : classText(text);
        any = any || !field.empty();
        truths = truths && (field.empty() || truthText(field));
    }
    if (!any)
        return {};
    if (truths)
        for (std::string& field : fields)
            field = field.empty() ? field : *truthText(field);
    return labelsFromText(fields);
}

} // namespace assay
