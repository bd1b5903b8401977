#pragma once

#include "engine/metrics/verdicts/verdict.h"

#include <QString>

namespace assay {

/// A verdict as people read it: "good", "unrealistic", "crowded", "copy", "invented". One function for all views;
/// files keep the identifiers of kVerdictWords.
QString verdictWord(Verdict verdict);
/// The same for real samples: "covered", "missed", "thin".
QString verdictWord(CoverageVerdict verdict);

} // namespace assay
