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
    case Verdict::Crowded:
        return VerdictTexts::tr("crowded");
    case Verdict::Invented:
        return VerdictTexts::tr("invented");
    case Verdict::Unrealistic:
        return VerdictTexts::tr("unrealistic");
    case Verdict::Good:
        break;
    }
    return VerdictTexts::tr("good");
}

QString verdictWord(CoverageVerdict verdict) {
    switch (verdict) {
    case CoverageVerdict::Missed:
        return VerdictTexts::tr("missed");
    case CoverageVerdict::Thin:
        return VerdictTexts::tr("thin");
    case CoverageVerdict::Covered:
        break;
    }
    return VerdictTexts::tr("covered");
}

} // namespace assay
