#include "widgets/common/verdict_words.h"

#include <QCoreApplication>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct VerdictTexts {
    Q_DECLARE_TR_FUNCTIONS(assay::Verdict)
};

} // namespace

QString verdictWord(Verdict verdict) {
    switch (verdict) {
    case Verdict::Copy:
        return VerdictTexts::tr("copy");
    case Verdict::OverRepresented:
        return VerdictTexts::tr("crowded");
    case Verdict::Unrealistic:
        return VerdictTexts::tr("unrealistic");
    case Verdict::Good:
        break;
    }
    return VerdictTexts::tr("good");
}

QString verdictWord(CoverageVerdict verdict) {
    return verdict == CoverageVerdict::Missed ? VerdictTexts::tr("missed") : VerdictTexts::tr("covered");
}

} // namespace assay
