#pragma once

#include <string>
#include <string_view>

namespace assay::report {

/// The style sheet of a report: light or dark as the reader's system prefers, always light in print. Text has a
/// contrast of at least 4.5 to its background, meaningful lines at least 3 (WCAG 2.1, AA).
const std::string& reportStyle();

/// A colour of the light theme, such as "#1b1e22". @param name name of the style variable without hyphens, such as
/// "text"
/// @throws Error{InvalidArgument} for a name that the style does not have
std::string lightColor(std::string_view name);

/// Only the rules for charts, with light colours inserted: for renderers that do not support CSS variables.
std::string lightChartStyle();

} // namespace assay::report
