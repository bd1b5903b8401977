#pragma once

#include "engine/report/scores/sample_evidence.h"

#include <QString>

namespace assay {

/// In a few words, the number first: "12× closer", "190× as dense", "3.1× the usual distance", "exact copy of 1550".
/// @param digits significant ones
QString evidenceText(const Evidence& evidence, int digits, const AuditResult& audit);
/// The same as a sentence that defines it; empty for none.
QString evidenceSentence(const Evidence& evidence, Side side, const AuditResult& audit);

} // namespace assay
