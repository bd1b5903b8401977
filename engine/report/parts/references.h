#pragma once

#include <span>
#include <string_view>

namespace assay::report {

/// A paper: how the catalogue names it (Metric::source), its title, and where it is found.
struct Reference {
    std::string_view source;
    std::string_view title;
    std::string_view address;
};

std::span<const Reference> references();
/// Null for a source that is not in the list.
const Reference* findReference(std::string_view source);

} // namespace assay::report
