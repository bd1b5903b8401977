#pragma once

#include <string>
#include <string_view>

namespace assay::report {

/// Text of unknown origin as one line of Markdown that shows as it is: no link, no table cell, no HTML.
std::string escapedMarkdown(std::string_view bytes);

/// A line of code: between backticks, as many as it takes.
std::string markdownCode(std::string_view bytes);

} // namespace assay::report
