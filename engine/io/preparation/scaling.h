#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"

#include <string>

namespace assay {

/// Fits what `fitted.scaling` asks for to the real set.
///
/// Z-score: columns that are constant, and those of 0 and 1 that stand for text, are left as they are. PCA: at most as
/// many components as the set has rows less one; those with less than a millionth of the largest variance are left
/// out, as it is rounding that they would blow up. Each has its entry of largest magnitude positive. Without whitening
/// as few as have 99.99 % of the variance, at most 256; none, and Scaling::None, where all rows are equal. Features of
/// series: one mean and deviation for all steps.
/// @throws Error{BadInput} for more columns than PCA is made for, or a set without any spread; Cancelled
void fitScaling(ValuePreparation& fitted, EmbeddingParts& real, const std::string& place, unsigned threads,
                const JobContext& job);

} // namespace assay
