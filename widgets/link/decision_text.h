#pragma once

#include "widgets/link/view_state.h"

#include <QString>

namespace assay {

/// Decision by hand about a sample, which overrides the rules; Unsure: reviewed, but the rules decide.
enum class HandVerdict { None, Rejected, Accepted, Unsure };

/// Whether a person has judged a sample of the current model's set: rejected or kept by hand, or marked as unsure.
bool isReviewed(const ViewState& state, SampleId sample);

/// Decision about a sample of the current model's set, and its origin: "kept by hand", "rejected by the rules",
/// "unsure, rejected by the rules". Empty where nobody said anything, and for samples of other sets.
QString decisionText(const ViewState& state, SampleId sample);

/// The tags of a sample by the names that a person gave them, else by their numbers: "blurred 3"; empty for none.
QString tagsText(const ViewState& state, SampleId sample);

} // namespace assay
