#pragma once

#include <string_view>

namespace assay::report {

// The files of this folder, built into the program.
extern const std::string_view kPageMarkup; ///< the body of page.html
extern const std::string_view kPageStyle;
extern const std::string_view kPageScript; ///< the *.js files, one after the other

} // namespace assay::report
