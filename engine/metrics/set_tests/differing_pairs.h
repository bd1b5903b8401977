#pragma once

#include "engine/base/compute_context.h"
#include "engine/metrics/set_tests/feature_tests.h"
#include "engine/metrics/tables/compared_rows.h"

#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Pairs of features whose rank correlations differ between two sets, on the first 2,000 rows of each.
///
/// Correlations are Pearson's within each set, of mean ranks among the rows of both. The difference is compared with
/// those of 200 draws of the labels "real" and "synthetic": in deviations of the pair's draws (at least a third of the
/// median deviation) it is above the mean of the draws' largest one by more than five of its deviations, and it is at
/// least 0.1. O(200 n f^2) for f features.
/// @param features columns; nothing is compared for fewer than 2 or more than 100
/// @return largest gap first, ties by columns @throws Cancelled
std::vector<DifferingPair> differingPairs(const ComparedRows& real, const ComparedRows& synthetic,
                                          std::span<const std::uint32_t> features, const ComputeContext& context);

} // namespace assay
