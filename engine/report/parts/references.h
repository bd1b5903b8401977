#pragma once

#include <span>
#include <string_view>

namespace assay::report {

/// A paper: its name in the catalogue (Metric::source), its title, and its web address.
struct Reference {
    std::string_view source;
    std::string_view title;
    std::string_view address;
};

std::span<const Reference> references();

} // namespace assay::report
