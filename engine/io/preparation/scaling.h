#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/embedding_set.h"

#include <string>

namespace assay {

/// Fits the scaling of `fitted.scaling` on the real set.
///
/// Z-score: constant columns, and 0-1 columns that come from text, stay unscaled. PCA: at most rows - 1 components.
/// Components with less than a millionth of the largest variance are left out, because whitening would amplify rounding
/// errors. The entry of largest magnitude of each component is positive. Without whitening: the fewest components with
/// 99.99 % of the variance, at most 256; when all rows are equal, none, and the scaling becomes Scaling::None. Features
/// of series: one mean and one standard deviation per feature, over all steps.
/// @throws Error{BadInput} for more than 4,096 columns with PCA, or for whitening a set whose rows are all equal;
///         Cancelled
void fitScaling(ValuePreparation& fitted, EmbeddingParts& real, const std::string& place,
                const ComputeContext& context);

} // namespace assay
