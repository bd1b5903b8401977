#pragma once

#include "engine/audit/result/pair_lists.h"

#include <QString>

/// Texts of pairs of samples.
namespace assay {

/// "near duplicates", "copies of real samples", "in real and held-out set", "exposed real samples".
QString pairKindText(PairKind kind);
/// "ratio 0.12", or that the samples are equal; of an exposed one "nearer than 99.8 %".
QString ratioCaption(PairKind kind, const SamplePair& pair);
/// "distance 3.4".
QString distanceCaption(const SamplePair& pair);
/// Explains the ratio of a kind of pair, and whether this pair's ratio is remarkable; rich text.
QString ratioToolTip(PairKind kind, double threshold, const SamplePair& pair);
/// From which ratio down pairs are remarkable, in one sentence.
QString thresholdText(PairKind kind, double threshold);
/// That a sample is of the held-out set, and cannot be selected; rich text.
QString heldOutNote();

} // namespace assay
