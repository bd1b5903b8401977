#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/embedding_set.h"
#include "engine/data/preparation.h"
#include "engine/math/products/dense_product.h"

#include <cstddef>
#include <string>
#include <vector>

// The steps of a preparation (prepare.h); scaling.h has the last one.

namespace assay {

/// Removes the rows that contain a non-finite value, with their labels, groups, ids and pictures. Lists them in
/// `source.droppedRows` and, unless `place` is empty, in a note. When rows have no ids, the remaining rows get their
/// old row numbers as ids. A second call changes nothing.
/// @param wanted false: does nothing
/// @param place file or file and key, for the note and for messages
/// @throws Error{BadInput} when no row remains
void dropNotFinite(EmbeddingParts& parts, bool wanted, const std::string& place);

/// Which columns get a 0-1 column for their missing values, with the medians of what is there.
/// @param parts the real set, with NaN where a value is missing
/// @param also names of more such columns
/// @throws Error{BadInput} for a column without any value, and for series
std::vector<MissingColumn> fitMissing(const EmbeddingParts& parts, const std::vector<std::string>& also,
                                      const std::string& place);

/// The values with the medians in place of NaN.
std::vector<float> filledValues(const EmbeddingParts& parts, const std::vector<MissingColumn>& columns);

/// Replaces NaN by the medians and adds a 0-1 column for each of the columns. Adds a note with the number of values.
/// @throws Error{BadInput} for NaN in another column
void fillMissing(EmbeddingParts& parts, const std::vector<MissingColumn>& columns, const std::string& place);

/// Number of 0-1 columns that text columns became; they are the last columns of the values.
std::size_t indicatorsOf(const std::vector<CategoryColumn>& texts);

/// Names of a set's feature columns in the order of its file, before text columns became 0-1 columns. Empty when the
/// file has none, or names that are all numbers.
std::vector<std::string> featureNamesOf(const EmbeddingParts& parts);

/// Compares the names of the feature columns with the real set's. Adds a note when they differ.
/// @throws Error{BadInput} when a name belongs to another column in the real set
void requireSameNames(EmbeddingParts& parts, const ValuePreparation& preparation, const std::string& place);

/// Adds a note when rows that differ in the file are equal as float32: distances between them are then 0.
/// @throws Cancelled
void noteEqualRows(EmbeddingParts& parts, const std::string& place, const ComputeContext& context);

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
