#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/units.h"
#include "engine/metrics/tables/compared_rows.h"

#include <optional>

namespace assay {

/// Signs that one set has another unit than the other.
struct ScaleTest {
    /// Median length of synthetic over that of real rows, each about its set's median, where it is another scale: above
    /// 3 or below 1 / 3.
    std::optional<double> factor = {};
    /// The side whose rows all have one length, where those of the other side have not.
    std::optional<Side> unitLength = {};

    bool operator==(const ScaleTest&) const = default;
};

/// Compares the lengths of rows about the median of each feature in their set. Another scale: the medians and the 90 %
/// quantiles of both sides differ by more than a factor of 3, in one direction, and the area under the ROC curve of the
/// lengths is more than 3.3 of its deviations from 0.5 (of DeLong's, and of those of two samples of one law by Mann and
/// Whitney: 8 rows of each side). One length: the deviation of the lengths about 0 is below 1e-4 of their mean; not
/// tested in one dimension. Uses the first featureRows() rows of each set. O(n d). The same to the last bit for any
/// number of threads.
/// @param real, synthetic at least one row each @throws Cancelled
ScaleTest testScale(const ComparedRows& real, const ComparedRows& synthetic, const ComputeContext& context);

} // namespace assay
