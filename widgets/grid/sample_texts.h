#pragma once

#include "engine/report/scores/explain.h"
#include "widgets/link/view_state.h"

#include <QString>

namespace assay {

/// What the card of a sample says, as rich text: id, class, group, decision, tags, note and the headline scores of its
/// side. Empty for a sample that is not in the audit. Its picture is SampleCard's.
QString sampleToolTip(const ViewState& state, SampleId sample);

/// Name of a sample for captions: "gan-0042", class in front where known: "gan-0042, class 8".
QString sampleCaption(const AuditResult& audit, SampleId sample);

/// In a few words, the number first: "12× closer", "190× as dense", "3.1× the usual distance", "exact copy of 1550".
/// @param digits significant ones
QString evidenceText(const Evidence& evidence, int digits, const AuditResult& audit);
/// The same as a sentence that defines it; empty for none.
QString evidenceSentence(const Evidence& evidence, Side side, const AuditResult& audit);

} // namespace assay
