#pragma once

#include "widgets/link/view_state.h"
#include "widgets/tables/table_content.h"

namespace assay {

/// Every score of one sample with its standing in the set, in the order of the catalogue. O(n) per score, for its
/// standing among n samples.
TableContent scoreList(const ViewState& state, const ModelAudit& model, SampleId sample);

} // namespace assay
