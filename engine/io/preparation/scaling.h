#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/preparation.h"
#include "engine/math/products/double_matrix.h"

#include <cstddef>
#include <string>

namespace assay {

struct EmbeddingParts;

/// The low frequencies of square pictures: those whose numbers of half periods down and across sum to less than
/// `frequencies`. Each is one row per channel, a vector of the orthonormal cosine transform (DCT-II). The rows are
/// orthonormal, so that distances of coefficients are those of the low-pass pictures.
/// @param side pixels down and across; `frequencies` is at most that
/// @return frequencies (frequencies + 1) / 2 * channels rows, from low to high frequencies, channel by channel; columns
/// are the values of a picture [side, side, channels]
DoubleMatrix lowFrequencies(std::size_t side, std::size_t channels, std::size_t frequencies);

/// Fits the scaling of `fitted.scaling` on the real set.
///
/// Z-score: constant columns, and 0-1 columns that come from text, stay unscaled. PCA: at most rows - 1 components.
/// Components with less than a millionth of the largest variance are left out, because whitening would amplify rounding
/// errors. The entry of largest magnitude of each component is positive. Features of series: one mean and one standard
/// deviation per feature, over all steps. Cosine transforms of pictures are the same for every real set.
/// @throws Error{BadInput} for more than 4,096 columns with PCA, for fewer than ten rows per component, or for a set
///         whose rows are all equal; Cancelled
void fitScaling(ValuePreparation& fitted, EmbeddingParts& real, const std::string& place,
                const ComputeContext& context);

} // namespace assay
