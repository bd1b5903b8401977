#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/embedding_set.h"

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

/// Names of a set's feature columns in the order of its file, before text columns became 0-1 columns. Empty when the
/// file has none, or names that are all numbers.
std::vector<std::string> featureNamesOf(const EmbeddingParts& parts);

/// Compares the names of the feature columns with the real set's. Adds a note when they differ.
/// @throws Error{BadInput} when a name belongs to another column in the real set
void requireSameNames(EmbeddingParts& parts, const ValuePreparation& preparation, const std::string& place);

/// Adds a note when rows that differ in the file are equal as float32: distances between them are then 0.
/// @throws Cancelled
void noteEqualRows(EmbeddingParts& parts, const std::string& place, const ComputeContext& context);

} // namespace assay
