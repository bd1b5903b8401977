#pragma once

#include "widgets/link/view_state.h"
#include "widgets/tables/table_content.h"

namespace assay {

/// The utility of the current model's samples by class, a class a row as in ModelAudit::utility: how many samples were
/// tested, the shares that are classified correctly after training on the synthetic and on the real set, and what is
/// gained or lost between the two.
enum ClassUtilityColumn { UtilityClass, UtilityTested, UtilitySynthetic, UtilityReal, UtilityChange };
TableContent classUtilityTable(const ViewState& state);

/// Real samples of the class of a row that pass the filter.
SampleSet samplesOfUtilityRow(const ViewState& state, int row);

} // namespace assay
