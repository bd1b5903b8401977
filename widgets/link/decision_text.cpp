#include "widgets/link/decision_text.h"

#include <QCoreApplication>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct DecisionWords {
    Q_DECLARE_TR_FUNCTIONS(assay::Decision)
};

} // namespace

bool isReviewed(const ViewState& state, SampleId sample) {
    return sample.set == state.currentSet() &&
           (state.isRejectedByHand(sample.row) || state.isAccepted(sample) || state.isUnsure(sample));
}

QString decisionText(const ViewState& state, SampleId sample) {
    if (!state.hasModel() || sample.set != state.currentSet())
        return {};
    if (state.isRejectedByHand(sample.row))
        return DecisionWords::tr("rejected by hand");
    if (state.isAccepted(sample))
        return DecisionWords::tr("kept by hand");
    const bool kept = state.isKept(sample.row);
    if (state.isUnsure(sample))
        return kept ? DecisionWords::tr("unsure") : DecisionWords::tr("unsure, rejected by the rules");
    return kept ? QString() : DecisionWords::tr("rejected by the rules");
}

QString tagsText(const ViewState& state, SampleId sample) {
    return QString::fromStdString(tagsText(state.tagsOf(sample), state.tagNames ? *state.tagNames : TagNames()));
}

} // namespace assay
