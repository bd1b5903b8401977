#pragma once

#include "engine/metrics/catalog/catalog.h"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace assay {

struct AuditResult;

/// Quantiles of one column's scores among the held-out samples.
struct HeldOutQuantiles {
    static constexpr std::array<double, 11> kShares{0.0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0};

    std::string_view column;
    std::array<double, kShares.size()> values{}; ///< linear interpolation; NaN for no numbers at all
    std::size_t missing = 0;                     ///< scores that are not numbers
};

/// One entry per per-sample column of the synthetic side, rows of another sample apart; none without a held-out set.
std::vector<HeldOutQuantiles> heldOutQuantiles(const AuditResult& audit);

} // namespace assay
