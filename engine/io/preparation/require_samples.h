#pragma once

#include "engine/data/embedding_set.h"
#include "engine/io/files/value_reading.h"

#include <string>

namespace assay {

/// Refuses a symmetric matrix: a covariance, a matrix of distances or of similarities, whose rows are no samples. A
/// matrix with pictures, labels or ids of its rows is one of samples, unless the ids are the names of the columns.
/// @param parts as read from the file of the embeddings
/// @param reading with which it was read
/// @throws Error{BadInput}
void requireSamples(const EmbeddingParts& parts, const ValueReading& reading, const std::string& place);

} // namespace assay
