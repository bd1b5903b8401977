#pragma once

#include <string_view>

namespace assay::report {

/// The style sheet of a report: light, dark by the reader's own choice, printed always light. Every text colour has a
/// contrast of at least 4.5 to its background, every line that carries meaning at least 3 (WCAG 2.1, AA).
std::string_view reportStyle();

} // namespace assay::report
