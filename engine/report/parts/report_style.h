#pragma once

#include <string>
#include <string_view>

namespace assay::report {

/// The style sheet of a report: light, dark by the reader's own choice, printed always light. Every text colour has a
/// contrast of at least 4.5 to its background, every line that carries meaning at least 3 (WCAG 2.1, AA).
const std::string& reportStyle();

/// A light colour of the style, such as "#1b1e22". @param name of the variable without hyphens, such as "text"
/// @throws Error{InvalidArgument} for a name that the style does not have
std::string lightColor(std::string_view name);

/// The rules for charts alone, with light colours in place of variables: for renderers that know no variables.
std::string lightChartStyle();

} // namespace assay::report
