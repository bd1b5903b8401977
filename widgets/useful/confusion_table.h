#pragma once

#include "engine/subsets/what_if/confusion_counts.h"
#include "widgets/tables/heat_table.h"

#include <memory>

namespace assay {

/// Confusion counts as a heat table: errors are shaded by their share of the class beside the largest such share, right
/// answers are the diagonal.
HeatContent confusionTable(const std::shared_ptr<const ConfusionCounts>& counts);

} // namespace assay
