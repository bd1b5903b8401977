#pragma once

#include "widgets/link/view_state.h"

#include <QString>

namespace assay {

/// What the card of a sample says, as rich text: id, class, decision, tags, note and the headline scores of its side.
/// Empty for a sample that is not in the audit. Its picture is SampleCard's.
QString sampleToolTip(const ViewState& state, SampleId sample);

/// Name of a sample for captions: "gan-0042", class in front where known: "gan-0042, class 8".
QString sampleCaption(const AuditResult& audit, SampleId sample);

} // namespace assay
