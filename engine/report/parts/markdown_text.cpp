#include "engine/report/parts/markdown_text.h"

#include "engine/report/parts/html_writer.h"

#include <algorithm>

namespace assay::report {

std::string escapedMarkdown(std::string_view bytes) {
    constexpr std::string_view kMeaning = "\\`*_{}[]()<>#+-!|~&";
    std::string markdown;
    const std::string text = plainText(bytes);
    for (std::size_t at = 0; at < text.size(); ++at) {
        // These characters have a meaning only at the beginning of a line; elsewhere they stay as they are, for
        // readability.
        const bool harmless = at > 0 && (text[at] == '-' || text[at] == '+' || text[at] == '(' || text[at] == ')' ||
                                         text[at] == '!' || text[at] == '#');
        if (kMeaning.find(text[at]) != std::string_view::npos && !harmless)
            markdown += '\\';
        markdown += text[at];
    }
    return markdown;
}

std::string markdownCode(std::string_view bytes) {
    std::string text = plainText(bytes);
    std::size_t longest = 0;
    std::size_t run = 0;
    for (char& c : text) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
        if (c == '|') // ends a table cell even inside code
            c = '/';
    }
    const std::string fence(longest + 1, '`');
    const std::string pad = longest > 0 ? " " : "";
    return fence + pad + text + pad + fence;
}

} // namespace assay::report
