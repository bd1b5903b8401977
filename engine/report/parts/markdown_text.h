#pragma once

#include <string>
#include <string_view>

namespace assay::report {

/// Text of unknown origin as one line of Markdown that is displayed literally: it cannot become a link, a table cell or
/// HTML.
std::string escapedMarkdown(std::string_view bytes);

/// Inline code, enclosed in as many backticks as necessary.
std::string markdownCode(std::string_view bytes);

} // namespace assay::report
