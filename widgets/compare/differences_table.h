#pragma once

#include "engine/audit/result/compare.h"
#include "widgets/tables/table_content.h"

#include <memory>
#include <vector>

namespace assay {

/// Differences of scores that have one and are shown to people: those that the data tell apart first, then in the
/// catalogue's order.
std::vector<MetricDifference> shownDifferences(const ModelContrast& contrast);

/// The scores of two models and their differences (first minus second) with 95 % intervals about a line at 0, a row per
/// score of shownDifferences(). Nothing without a contrast.
enum DifferenceColumn { ScoreColumn, FirstColumn, SecondColumn, DifferenceColumn, IntervalColumn, VerdictColumn };
TableContent differencesTable(const std::shared_ptr<const ModelContrast>& contrast);

} // namespace assay
