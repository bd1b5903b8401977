#pragma once

#include "engine/metrics/catalog/catalog.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace assay {

struct AuditResult;

/// Quantiles of one column over the held-out samples.
struct HeldOutQuantiles {
    static constexpr std::array<double, 11> kShares{0.0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0};

    std::string_view column;
    /// One per share, linearly interpolated; NaN if the column has only NaN.
    std::array<double, kShares.size()> values{};
    std::size_t missing = 0; ///< number of NaN scores
};

/// Quantiles of every per-sample column of the synthetic side, except columns of row indices. Empty without a held-out
/// set.
std::vector<HeldOutQuantiles> heldOutQuantiles(const AuditResult& audit);

} // namespace assay
